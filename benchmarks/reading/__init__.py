"""What becomes of a line said in the middle of a guided flow: the lines, how they are played, how they are judged.

Nothing here knows how a message is read. A frontend's view and what is stored are all that is looked at, so the same
judge serves Softrail and its peers.
"""
