"""dlt: its `rest_api` source, iterated without a destination, or run into a DuckDB file.

With `parquet` as its argument it loads Parquet files instead of the INSERT statements that are its default for DuckDB.
"""

import sys

import dlt
from dlt.sources.rest_api import rest_api_source

from read_jobs import serve

FILE_FORMAT = sys.argv.pop() if sys.argv[-1] == "parquet" else None


def is_open(record):
    return record["status"] == "open"


def change(record):
    record["label"] = f"{record['first']} {record['last']}"
    record["amount"] = record["price"] * record["quantity"]
    del record["notes"]
    del record["nested"]["secret"]
    return record


def endpoint(job, path):
    # Without `total_path` it parses each page once instead of twice, and asks for one empty page at the end.
    paginator = {"type": "offset", "limit": job["pageSize"], "total_path": None}
    return {"path": path, "params": job["parameters"], "paginator": paginator, "data_selector": "data"}


def resource(job, name, path):
    steps = [{"filter": is_open}, {"map": change}] if job["shape"] == "wide" else []
    return {
        "name": name,
        "primary_key": "id",
        "endpoint": endpoint(job, path),
        "processing_steps": steps,
        "parallelized": job["slices"] is not None,
    }


def source_of(job):
    if job["slices"] is None:
        resources = [resource(job, name, f"{job['shape']}/{part}") for part, name in enumerate(job["streams"])]
    else:
        page = [{"part": part} for part in job["slices"]]
        parts = dlt.resource([page], name="parts", selected=False)
        resources = [parts, resource(job, job["streams"][0], job["shape"] + "/{resources.parts.part}")]
    config = {"client": {"base_url": job["url"]}, "resources": resources}
    return rest_api_source(config, parallelized=len(job["streams"]) > 1)


def read(job, take):
    for record in source_of(job):
        take(record)


def write(job):
    # Nested values stay in one column, as Turnleaf keeps them.
    pipeline = dlt.pipeline(
        job["name"], destination=dlt.destinations.duckdb(job["database"]), dataset_name="bench", dev_mode=True
    )
    source = source_of(job)
    source.max_table_nesting = 0
    pipeline.run(source, loader_file_format=FILE_FORMAT)

    def count():
        with pipeline.sql_client() as client:
            ((records, distinct),) = client.execute_sql(f"SELECT count(*), count(DISTINCT id) FROM {job['streams'][0]}")
        return {"records": records, "distinct": distinct, "changed": 0}

    return count


serve(read, write)
