"""The sentence encoder of the classifier: what people mean by a message, learned from labelled messages."""
