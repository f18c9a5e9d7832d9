/** Streams and the retrievers that read them, and the templates that make streams from a list. */
import { paginators } from './pagination.ts'
import { decoders, extractors, schemaLoaders, transformations } from './records.ts'
import { requesters } from './requests.ts'
import { partitionRouters } from './slicing.ts'

const retrievers = ['SimpleRetriever', 'AsyncRetriever', 'CustomRetriever'] as const

export const streams = {
  DeclarativeStream: {
    'name?': 'text',
    retriever: retrievers,
    'incremental_sync?': ['DatetimeBasedCursor', 'IncrementingCountCursor', 'CustomIncrementalSync'],
    'primary_key?': ['text', { list: 'text' }, { list: { list: 'text' } }],
    'schema_loader?': [...schemaLoaders, { list: schemaLoaders }],
    'transformations?': { list: transformations },
    'state_migrations?': { list: ['LegacyToPerPartitionStateMigration', 'CustomStateMigration'] },
    'file_uploader?': {
      shape: {
        requester: requesters,
        download_target_extractor: extractors,
        'file_extractor?': extractors,
        'filename_extractor?': 'template',
      },
    },
  },
  StateDelegatingStream: {
    name: 'text',
    full_refresh_stream: 'DeclarativeStream',
    incremental_stream: 'DeclarativeStream',
    'api_retention_period?': 'text',
  },
  ConditionalStreams: { condition: 'template', streams: { list: 'DeclarativeStream' } },
  SimpleRetriever: {
    requester: requesters,
    'decoder?': decoders,
    record_selector: 'RecordSelector',
    'paginator?': paginators,
    'pagination_reset?': 'PaginationReset',
    'page_size_reduction?': 'PageSizeReduction',
    'request_window_splitting?': 'RequestWindowSplitting',
    'ignore_stream_slicer_parameters_on_paginated_requests?': 'boolean',
    'partition_router?': [...partitionRouters, { list: partitionRouters }],
  },
  AsyncRetriever: {
    record_selector: 'RecordSelector',
    status_mapping: 'AsyncJobStatusMap',
    status_extractor: extractors,
    'download_target_extractor?': extractors,
    'download_extractor?': [...extractors, 'ResponseToFileExtractor'],
    creation_requester: requesters,
    polling_requester: requesters,
    'polling_job_timeout?': ['integer', 'template'],
    'failed_retry_wait_time_in_seconds?': ['integer', 'template'],
    'download_target_requester?': requesters,
    download_requester: requesters,
    'download_paginator?': paginators,
    'abort_requester?': requesters,
    'delete_requester?': requesters,
    'partition_router?': [...partitionRouters, { list: partitionRouters }],
    'decoder?': decoders,
    'download_decoder?': decoders,
  },
  AsyncJobStatusMap: {
    running: { list: 'text' },
    completed: { list: 'text' },
    failed: { list: 'text' },
    timeout: { list: 'text' },
    'skipped?': { list: 'text' },
  },
  CustomRetriever: { class_name: 'text' },
  DynamicDeclarativeStream: {
    'name?': 'text',
    stream_template: ['DeclarativeStream', 'StateDelegatingStream'],
    components_resolver: ['HttpComponentsResolver', 'ConfigComponentsResolver', 'ParametrizedComponentsResolver'],
    'use_parent_parameters?': 'boolean',
  },
  HttpComponentsResolver: { retriever: retrievers, components_mapping: { list: 'ComponentMappingDefinition' } },
  ConfigComponentsResolver: {
    stream_config: [{ list: 'StreamConfig' }, 'StreamConfig'],
    components_mapping: { list: 'ComponentMappingDefinition' },
  },
  StreamConfig: { configs_pointer: { list: 'text' }, 'default_values?': { list: 'map' } },
  ParametrizedComponentsResolver: {
    stream_parameters: 'StreamParametersDefinition',
    components_mapping: { list: 'ComponentMappingDefinition' },
  },
  StreamParametersDefinition: { list_of_parameters_for_stream: { list: 'map' } },
  ComponentMappingDefinition: {
    field_path: { list: 'text' },
    value: 'template',
    'value_type?': { choice: ['string', 'number', 'integer', 'boolean'] },
    'create_or_update?': 'boolean',
    'condition?': 'template',
  },
} as const
