/** From a response to records: decoders, selection, transformations, schemas. */
export const transformations = [
  'AddFields',
  'RemoveFields',
  'KeysToLower',
  'KeysToSnakeCase',
  'FlattenFields',
  'DpathFlattenFields',
  'KeysReplace',
  'CustomTransformation',
] as const
export const decoders = [
  'JsonDecoder',
  'JsonItemsDecoder',
  'XmlDecoder',
  'CsvDecoder',
  'JsonlDecoder',
  'GzipDecoder',
  'IterableDecoder',
  'ZipfileDecoder',
  'CustomDecoder',
] as const
const innerDecoders = ['CsvDecoder', 'GzipDecoder', 'JsonDecoder', 'JsonItemsDecoder', 'JsonlDecoder'] as const
export const extractors = ['DpathExtractor', 'CustomRecordExtractor'] as const
export const schemaLoaders = [
  'InlineSchemaLoader',
  'DynamicSchemaLoader',
  'JsonFileSchemaLoader',
  'CustomSchemaLoader',
] as const

export const records = {
  RecordSelector: {
    extractor: extractors,
    'record_filter?': ['RecordFilter', 'CustomRecordFilter'],
    'schema_normalization?': [{ choice: ['Default', 'None'] }, 'CustomSchemaNormalization'],
    'transform_before_filtering?': 'boolean',
  },
  DpathExtractor: { field_path: { list: 'text' }, 'record_expander?': 'RecordExpander' },
  RecordExpander: {
    expand_records_from_field: { list: 'text' },
    'remain_original_record?': 'boolean',
    'on_no_records?': { choice: ['skip', 'emit_parent'] },
  },
  ResponseToFileExtractor: { 'preserve_na_values?': 'boolean' },
  RecordFilter: { 'condition?': 'template' },
  CustomRecordExtractor: { class_name: 'text' },
  CustomRecordFilter: { class_name: 'text' },
  CustomSchemaNormalization: { class_name: 'text' },
  AddFields: { fields: { list: 'AddedFieldDefinition' }, 'condition?': 'template' },
  AddedFieldDefinition: {
    path: { list: 'text' },
    value: 'template',
    'value_type?': { choice: ['string', 'number', 'integer', 'boolean'] },
  },
  RemoveFields: { 'condition?': 'template', field_pointers: { list: { list: 'text' } } },
  KeysToLower: {},
  KeysToSnakeCase: {},
  KeysReplace: { old: 'template', new: 'template' },
  FlattenFields: { 'flatten_lists?': 'boolean' },
  DpathFlattenFields: {
    field_path: { list: 'text' },
    'delete_origin_value?': 'boolean',
    'replace_record?': 'boolean',
    'key_transformation?': 'KeyTransformation',
  },
  KeyTransformation: { 'prefix?': 'text', 'suffix?': 'text' },
  CustomTransformation: { class_name: 'text' },
  JsonDecoder: {},
  JsonItemsDecoder: { items_path: 'text', 'encoding?': 'text' },
  JsonlDecoder: {},
  CsvDecoder: { 'encoding?': 'text', 'delimiter?': 'text', 'set_values_to_none?': { list: 'text' } },
  XmlDecoder: {},
  GzipDecoder: { decoder: innerDecoders },
  ZipfileDecoder: { decoder: innerDecoders },
  IterableDecoder: {},
  CustomDecoder: { class_name: 'text' },
  InlineSchemaLoader: { 'schema?': 'schema' },
  JsonFileSchemaLoader: { 'file_path?': 'template' },
  DynamicSchemaLoader: {
    retriever: ['SimpleRetriever', 'AsyncRetriever', 'CustomRetriever'],
    'schema_filter?': ['RecordFilter', 'CustomRecordFilter'],
    'schema_transformations?': { list: transformations },
    schema_type_identifier: 'SchemaTypeIdentifier',
  },
  SchemaTypeIdentifier: {
    'schema_pointer?': { list: 'text' },
    key_pointer: { list: 'text' },
    'type_pointer?': { list: 'text' },
    'types_mapping?': { list: 'TypesMap' },
  },
  TypesMap: {
    target_type: ['text', { list: 'text' }, 'ComplexFieldType'],
    current_type: ['text', { list: 'text' }],
    'condition?': 'template',
  },
  ComplexFieldType: { field_type: 'text', 'items?': ['text', 'ComplexFieldType'] },
  CustomSchemaLoader: { class_name: 'text' },
} as const
