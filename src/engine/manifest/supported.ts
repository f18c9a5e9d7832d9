/** The component types that this version runs. Every other type of the table is known, named, and not run yet. */
import { type ComponentType, isComponentType } from './components.ts'
import { componentsWithin, type FoundComponent } from './components-within.ts'

const running: ReadonlySet<ComponentType> = new Set<ComponentType>([
  'DeclarativeSource',
  'Spec',
  'ConfigMigration',
  'ConfigAddFields',
  'ConfigRemapField',
  'ConfigRemoveFields',
  'CustomConfigTransformation',
  'DpathValidator',
  'PredicateValidator',
  'ValidateAdheresToSchema',
  'CustomValidationStrategy',
  'CheckStream',
  'CheckDynamicStream',
  'DynamicStreamCheckConfig',
  'ConcurrencyLevel',
  'StreamGroup',
  'BlockSimultaneousSyncsAction',

  'DeclarativeStream',
  'ConditionalStreams',
  'StateDelegatingStream',
  'DynamicDeclarativeStream',
  'HttpComponentsResolver',
  'ConfigComponentsResolver',
  'StreamConfig',
  'ParametrizedComponentsResolver',
  'StreamParametersDefinition',
  'ComponentMappingDefinition',
  'SimpleRetriever',
  'AsyncRetriever',
  'AsyncJobStatusMap',
  'ResponseToFileExtractor',
  'CustomRetriever',

  'HttpRequester',
  'CustomRequester',
  'RequestOption',
  'RequestPath',
  'RequestBodyJsonObject',
  'RequestBodyPlainText',
  'RequestBodyUrlEncodedForm',
  'RequestBodyGraphQL',
  'RequestBodyGraphQlQuery',
  'QueryProperties',
  'PropertiesFromEndpoint',
  'PropertyChunking',
  'GroupByKeyMergeStrategy',
  'JsonSchemaPropertySelector',

  'NoAuth',
  'ApiKeyAuthenticator',
  'BearerAuthenticator',
  'BasicHttpAuthenticator',
  'OAuthAuthenticator',
  'JwtAuthenticator',
  'SessionTokenAuthenticator',
  'ApiKey',
  'Bearer',
  'LegacySessionTokenAuthenticator',
  'SelectiveAuthenticator',
  'CustomAuthenticator',

  'DefaultErrorHandler',
  'CompositeErrorHandler',
  'HttpResponseFilter',
  'ConstantBackoffStrategy',
  'ExponentialBackoffStrategy',
  'WaitTimeFromHeader',
  'WaitUntilTimeFromHeader',

  'CustomErrorHandler',
  'CustomBackoffStrategy',

  'HTTPAPIBudget',
  'MovingWindowCallRatePolicy',
  'FixedWindowCallRatePolicy',
  'UnlimitedCallRatePolicy',
  'Rate',
  'HttpRequestRegexMatcher',

  'DefaultPaginator',
  'NoPagination',
  'OffsetIncrement',
  'PageIncrement',
  'CursorPagination',
  'CustomPaginationStrategy',
  'PaginationReset',
  'PaginationResetLimits',

  'JsonDecoder',
  'JsonlDecoder',
  'JsonItemsDecoder',
  'CsvDecoder',
  'XmlDecoder',
  'GzipDecoder',
  'ZipfileDecoder',
  'IterableDecoder',
  'CustomDecoder',
  'RecordSelector',
  'DpathExtractor',
  'RecordExpander',
  'CustomRecordExtractor',
  'RecordFilter',
  'CustomRecordFilter',
  'CustomSchemaNormalization',
  'AddFields',
  'AddedFieldDefinition',
  'RemoveFields',
  'KeysToLower',
  'KeysToSnakeCase',
  'KeysReplace',
  'FlattenFields',
  'DpathFlattenFields',
  'KeyTransformation',
  'CustomTransformation',
  'InlineSchemaLoader',
  'JsonFileSchemaLoader',
  'DynamicSchemaLoader',
  'SchemaTypeIdentifier',
  'TypesMap',
  'ComplexFieldType',
  'CustomSchemaLoader',

  'ListPartitionRouter',
  'SubstreamPartitionRouter',
  'ParentStreamConfig',
  'GroupingPartitionRouter',
  'UnionPartitionRouter',
  'CustomPartitionRouter',
  'DatetimeBasedCursor',
  'MinMaxDatetime',
  'IncrementingCountCursor',
  'LegacyToPerPartitionStateMigration',
  'CustomStateMigration',
])

/** What an OAuth sign-in form needs; it describes the config and asks nothing of the engine. */
const descriptive: ReadonlySet<ComponentType> = new Set<ComponentType>(['AuthFlow', 'OAuthConfigSpecification'])

/** Whether `type` names a component that Airbyte has and this version cannot run. */
function isUnsupported(type: unknown): type is ComponentType {
  return isComponentType(type) && !running.has(type) && !descriptive.has(type)
}

/** Their types, each once. */
export function unsupportedTypesIn(node: unknown): string[] {
  return [...new Set(unsupportedIn(node).map(({ type }) => type))]
}

/** The components inside this node (itself included) that this version cannot run, in the order of the tree. */
export function unsupportedIn(node: unknown): FoundComponent[] {
  return [...componentsWithin(node)].filter(({ type }) => isUnsupported(type))
}
