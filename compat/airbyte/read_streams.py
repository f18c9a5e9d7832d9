"""airbyte-cdk reads one stream at a time, as each line of standard input says, from the server that the line names; prints what came."""

import importlib.machinery
import json
import logging
import os
import re
import signal
import sys
import time
import types
from contextlib import suppress
from functools import lru_cache
from urllib.parse import urlsplit

import freezegun
from airbyte_cdk.models import (
    AirbyteStateMessageSerializer,
    AirbyteStream,
    ConfiguredAirbyteCatalog,
    ConfiguredAirbyteStream,
    DestinationSyncMode,
    SyncMode,
    Type,
)
from airbyte_cdk.sources.declarative import concurrent_declarative_source as declarative
from airbyte_cdk.utils.yaml_loader import safe_load_yaml
from requests.adapters import HTTPAdapter

logging.disable(logging.CRITICAL)
LONGEST_SECONDS = 60
send_itself = HTTPAdapter.send
# Parsed once, before the processes that read: it takes longer than most reads.
component_schema = declarative.get_declarative_component_schema()
declarative.get_declarative_component_schema = lambda: component_schema


class Components(types.ModuleType):
    """The custom classes of a connector: streams that need them are not read, but the others load them, too."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {"__init__": lambda self, *_, **__: None, "should_migrate": lambda self, _: False})


class ComponentsFinder:
    def find_spec(self, name, _path=None, _target=None):
        if re.fullmatch(r"components|source_\w+(\.components)?", name):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        return Components(spec.name)

    def exec_module(self, _module):
        pass


sys.meta_path.insert(0, ComponentsFinder())


def lead_to(port, run):
    """Every request goes to the local server, which is told the origin that was meant."""

    def send(self, request, **options):
        parts = urlsplit(request.url)
        moved = request.copy()
        moved.url = f"http://127.0.0.1:{port}{parts.path or '/'}" + (f"?{parts.query}" if parts.query else "")
        moved.headers["x-meant-origin"] = f"{parts.scheme}://{parts.netloc}"
        moved.headers["x-run"] = run
        response = send_itself(self, moved, **options)
        response.url, response.request = request.url, request
        return response

    HTTPAdapter.send = send


@lru_cache(maxsize=1)
def parsed(text):
    return safe_load_yaml(text)


def manifest_in(path):
    with open(path, encoding="utf-8") as file:
        return parsed(file.read())


@lru_cache(maxsize=1)
def stop_clock(now):
    freezegun.freeze_time(now).start()


def read(job):
    lead_to(job["port"], job["run"])
    time.sleep = lambda _: None
    manifest = manifest_in(job["manifest"])
    modes = [SyncMode.full_refresh, SyncMode.incremental]
    stream = AirbyteStream(name=job["stream"], json_schema={}, supported_sync_modes=modes)
    mode = modes[1] if job["isIncremental"] else modes[0]
    configured = ConfiguredAirbyteStream(stream=stream, sync_mode=mode, destination_sync_mode=DestinationSyncMode.append)
    catalog = ConfiguredAirbyteCatalog(streams=[configured])
    given = [AirbyteStateMessageSerializer.load(one) for one in job["states"]]
    records, state, error = [], None, None
    try:
        source = declarative.ConcurrentDeclarativeSource(catalog=catalog, config=job["config"], state=given, source_config=manifest)
        for message in source.read(logging.getLogger("airbyte"), job["config"], catalog, given):
            if message.type == Type.RECORD:
                records.append(message.record.data)
            elif message.type == Type.STATE:
                state = AirbyteStateMessageSerializer.dump(message.state)
            elif message.type == Type.TRACE and message.trace.error:
                error = error or message.trace.error.internal_message or message.trace.error.message
    except Exception as failure:
        error = error or f"{type(failure).__name__}: {failure}"
    return {"records": records, "state": state, "error": error}


def in_own_process(job):
    """What one read leaves in caches must not reach the next; what is the same for all is made before."""
    stop_clock(job["now"])
    with suppress(Exception):
        manifest_in(job["manifest"])
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        # Some parts print by themselves.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        signal.alarm(LONGEST_SECONDS)
        with os.fdopen(writing, "w") as pipe:
            json.dump(read(job), pipe, default=str)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        answer = pipe.read()
    os.waitpid(child, 0)
    return answer or json.dumps({"records": [], "state": None, "error": "its process ended"})


print("ready", flush=True)
for line in sys.stdin:
    print(in_own_process(json.loads(line)), flush=True)
