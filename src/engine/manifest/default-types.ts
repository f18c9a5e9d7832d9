/** `Parent.field` → the type a component has there when its author left `type` out. */
import type { ComponentType } from './components.ts'

const byPlace: Readonly<Record<string, ComponentType>> = {
  'DeclarativeSource.check': 'CheckStream',
  'DeclarativeSource.spec': 'Spec',
  'DeclarativeSource.streams': 'DeclarativeStream',

  'DeclarativeStream.retriever': 'SimpleRetriever',
  // Airbyte: without `type` a schema loader reads a file, although nearly all manifests carry the schema inline.
  'DeclarativeStream.schema_loader': 'JsonFileSchemaLoader',
  // Airbyte: the one migration that needs no type, since nothing else is written without a class.
  'DeclarativeStream.state_migrations': 'LegacyToPerPartitionStateMigration',
  'DynamicSchemaLoader.retriever': 'SimpleRetriever',

  'SimpleRetriever.requester': 'HttpRequester',
  'SimpleRetriever.record_selector': 'RecordSelector',
  // Airbyte: without `type` a paginator does nothing, whatever is written inside.
  'SimpleRetriever.paginator': 'NoPagination',
  'RecordSelector.extractor': 'DpathExtractor',
  'RecordSelector.record_filter': 'RecordFilter',
  'DpathExtractor.decoder': 'JsonDecoder',
  'DpathExtractor.record_expander': 'RecordExpander',
  'RecordExpander.parent_fields': 'ParentFieldPath',
  'RecordExpander.truncated_list_retriever': 'SimpleRetriever',
  'AddFields.fields': 'AddedFieldDefinition',

  'DefaultPaginator.decoder': 'JsonDecoder',
  'DefaultPaginator.page_size_option': 'RequestOption',
  'CursorPagination.decoder': 'JsonDecoder',

  'HttpRequester.error_handler': 'DefaultErrorHandler',
  'CompositeErrorHandler.error_handlers': 'DefaultErrorHandler',
  'DefaultErrorHandler.response_filters': 'HttpResponseFilter',

  'DatetimeBasedCursor.start_datetime': 'MinMaxDatetime',
  'DatetimeBasedCursor.end_datetime': 'MinMaxDatetime',
  'DatetimeBasedCursor.start_time_option': 'RequestOption',
  'DatetimeBasedCursor.end_time_option': 'RequestOption',
  'ListPartitionRouter.request_option': 'RequestOption',
  'ParentStreamConfig.request_option': 'RequestOption',
  'ParentStreamConfig.stream': 'DeclarativeStream',
  'SubstreamPartitionRouter.parent_stream_configs': 'ParentStreamConfig',
  'CustomPartitionRouter.parent_stream_configs': 'ParentStreamConfig',

  'DynamicDeclarativeStream.stream_template': 'DeclarativeStream',
  'HttpComponentsResolver.retriever': 'SimpleRetriever',
  'HttpComponentsResolver.components_mapping': 'ComponentMappingDefinition',
  'ConfigComponentsResolver.stream_config': 'StreamConfig',
  'ConfigComponentsResolver.components_mapping': 'ComponentMappingDefinition',
  'SchemaTypeIdentifier.types_map': 'TypesMap',
}

const withClassName: Readonly<Record<string, ComponentType>> = {
  'CompositeErrorHandler.backoff_strategies': 'CustomBackoffStrategy',
  'DeclarativeStream.retriever': 'CustomRetriever',
  'DeclarativeStream.state_migrations': 'CustomStateMigration',
  'DeclarativeStream.transformations': 'CustomTransformation',
  'DefaultErrorHandler.backoff_strategies': 'CustomBackoffStrategy',
  'DefaultPaginator.pagination_strategy': 'CustomPaginationStrategy',
  'HttpRequester.authenticator': 'CustomAuthenticator',
  'HttpRequester.error_handler': 'CustomErrorHandler',
  'RecordSelector.extractor': 'CustomRecordExtractor',
  'SimpleRetriever.partition_router': 'CustomPartitionRouter',
}

/** The type of a component that names none, by the field it is in: `HttpRequester.authenticator`. */
export function defaultType(place: string, hasClassName: boolean): ComponentType | undefined {
  const rules = hasClassName ? withClassName : byPlace
  return Object.hasOwn(rules, place) ? rules[place] : undefined
}
