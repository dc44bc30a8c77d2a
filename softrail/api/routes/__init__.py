"""One module for each group of addresses; each gives an APIRouter made from what it is handed."""
