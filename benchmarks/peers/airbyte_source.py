"""airbyte-cdk: its concurrent declarative source reads the manifest; records are counted from its message iterator."""

import logging

import yaml
from airbyte_cdk.models import (
    AirbyteStream,
    ConfiguredAirbyteCatalog,
    ConfiguredAirbyteStream,
    DestinationSyncMode,
    SyncMode,
    Type,
)
from airbyte_cdk.sources.declarative.concurrent_declarative_source import ConcurrentDeclarativeSource

from read_jobs import serve

logger = logging.getLogger("airbyte")
logger.setLevel(logging.WARNING)


def catalog_of(names):
    streams = [AirbyteStream(name=name, json_schema={}, supported_sync_modes=[SyncMode.full_refresh]) for name in names]
    modes = {"sync_mode": SyncMode.full_refresh, "destination_sync_mode": DestinationSyncMode.append}
    return ConfiguredAirbyteCatalog(streams=[ConfiguredAirbyteStream(stream=stream, **modes) for stream in streams])


def read(job, take):
    with open(job["manifest"], encoding="utf-8") as file:
        manifest = yaml.safe_load(file)
    catalog = catalog_of(job["streams"])
    source = ConcurrentDeclarativeSource(catalog=catalog, config={}, state=[], source_config=manifest)
    for message in source.read(logger, {}, catalog, []):
        if message.type == Type.RECORD:
            take(message.record.data)


serve(read)
