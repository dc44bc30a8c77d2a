"""The HTTP API of conversations from Python: a turn is said once, however often it has to be sent.

This room knows the forms of requests and answers and nothing of the server: it may run where no server does.
"""

from softrail.client.client import Client
from softrail.client.events import Event
from softrail.client.failures import ClientError, NoAnswer, Refused

__all__ = ["Client", "ClientError", "Event", "NoAnswer", "Refused"]
