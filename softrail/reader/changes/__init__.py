"""What a message changes of what was given before, on one path: what is denied, what is named, what is new, how sure.

`instead`: words deny an old value, or say it once more, and others take its place; `numbers`: so does a number. `by_how_much`:
the new value is told by how far it is from the old one. `as_it_was`: what of the old value stays. `taken_back`: an answer is
wrong, and nobody says what is right. `put_right`: that stands beside it. `added`: it comes to an answer of words. `among`: what
was told is moved, swapped, exchanged or emptied; `deeds`: something is to be done to it, and nobody says what it becomes.
`further`: other clauses change more. Answers are told apart by their words (`parts` of a value, what is `spoken_of`) and
`by_meaning`; what was read of a change and contradicts the rest (`at_odds`) is asked about.
"""
