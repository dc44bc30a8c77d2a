"""What a message changes of what was given before, on one path: what is denied, what is named, what is new, how sure.

`instead`: words deny an old value, and others take its place. `named`: an answer is called by its name, and told anew.
`taken_back`: an answer is wrong, and nobody says what is right. `at_odds`: what was read of a change contradicts the
rest, and is asked about. All four tell answers apart by their words: `parts` of a value, and what is `spoken_of`.
"""
