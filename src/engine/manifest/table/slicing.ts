/** How a stream is cut: by time, by list, by the records of a parent stream. */
export const partitionRouters = [
  'ListPartitionRouter',
  'SubstreamPartitionRouter',
  'GroupingPartitionRouter',
  'UnionPartitionRouter',
  'CustomPartitionRouter',
] as const
const groupedRouters = [
  'ListPartitionRouter',
  'SubstreamPartitionRouter',
  'UnionPartitionRouter',
  'CustomPartitionRouter',
] as const

export const slicing = {
  DatetimeBasedCursor: {
    'clamping?': { shape: { target: 'template', 'target_details?': 'map' } },
    cursor_field: 'template',
    'allow_catalog_defined_cursor_field?': 'boolean',
    'cursor_datetime_formats?': { list: 'text' },
    start_datetime: ['MinMaxDatetime', 'template'],
    'start_time_option?': 'RequestOption',
    'end_datetime?': ['MinMaxDatetime', 'template'],
    'end_time_option?': 'RequestOption',
    datetime_format: 'text',
    'cursor_granularity?': 'text',
    'is_data_feed?': 'boolean',
    'is_client_side_incremental?': 'boolean',
    'is_compare_strictly?': 'boolean',
    'global_substream_cursor?': 'boolean',
    'lookback_window?': 'template',
    'partition_field_end?': 'text',
    'partition_field_start?': 'text',
    'step?': 'template',
  },
  MinMaxDatetime: {
    datetime: 'template',
    'datetime_format?': 'text',
    'max_datetime?': 'template',
    'min_datetime?': 'template',
  },
  IncrementingCountCursor: {
    cursor_field: 'template',
    'allow_catalog_defined_cursor_field?': 'boolean',
    'start_value?': ['template', 'integer'],
    'start_value_option?': 'RequestOption',
  },
  LegacyToPerPartitionStateMigration: {},
  // Airbyte: removed in version 7 of its engine; manifests written before still name it.
  CustomIncrementalSync: { class_name: 'text' },
  CustomStateMigration: { class_name: 'text' },
  ListPartitionRouter: {
    cursor_field: 'template',
    values: ['template', { list: 'text' }],
    'request_option?': 'RequestOption',
  },
  SubstreamPartitionRouter: { parent_stream_configs: { list: 'ParentStreamConfig' } },
  ParentStreamConfig: {
    stream: ['DeclarativeStream', 'StateDelegatingStream'],
    parent_key: 'template',
    partition_field: 'template',
    'request_option?': 'RequestOption',
    'incremental_dependency?': 'boolean',
    'lazy_read_pointer?': { list: 'text' },
    'extra_fields?': { list: { list: 'text' } },
  },
  GroupingPartitionRouter: {
    group_size: 'integer',
    underlying_partition_router: groupedRouters,
    'deduplicate?': 'boolean',
  },
  UnionPartitionRouter: { partition_field: 'template', partition_routers: { list: groupedRouters } },
  CustomPartitionRouter: { class_name: 'text' },
} as const
