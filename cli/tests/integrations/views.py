"""Runs queries on the views of a corpus in DuckDB, and prints their results as JSON.

Usage: views.py FILE_OF_VIEWS QUERY...
"""

import json
import sys

import duckdb

views, *queries = sys.argv[1:]
connection = duckdb.connect()
with open(views, encoding="utf-8") as file:
    connection.execute(file.read())
for query in queries:
    cursor = connection.execute(query)
    names = [column[0] for column in cursor.description]
    print(json.dumps([dict(zip(names, row)) for row in cursor.fetchall()]))
