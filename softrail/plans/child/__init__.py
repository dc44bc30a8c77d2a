"""What runs in a process of its own, where files and queries of people are opened: the only place with DuckDB and pypdf.

It knows the standard library, DuckDB, openpyxl, pypdf and vl-convert, and nothing else of Softrail. Nothing of Softrail imports
it either: `softrail/plans/data/sending.py` starts it by its path, gives it one folder, and reads its answers.
"""
