"""Words about attached data, understood without a model: grammar, form, and the plan made from it.

A request is read in three steps, each pure: the words become items (`scanning`), the items are bound to the columns and
values of one table (`binder`), and what they make together is a `Form` or a question (`grammar`). A form is a value that is
kept with its plan, so that a later word changes one part of it (`revising`); `steps` makes the plan, `conclusions` says in
words what its facts are. Nothing here opens a file: it knows profiles (`plans.data.profile`) and nothing of conversations.
"""
