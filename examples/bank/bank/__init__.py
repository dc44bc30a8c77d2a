"""Money for a contact: a transfer, contacts, and what is on the account."""

from bank.accounts import Accounts
from bank.contacts import AddContact, RemoveContact
from bank.transfer import Transfer

__all__ = ["Accounts", "AddContact", "RemoveContact", "Transfer"]
