/** How requests are made: requesters, bodies, placement of values, lists of properties. */
import { authenticators } from './authentication.ts'
import { errorHandlers } from './failures.ts'
import { transformations } from './records.ts'

export const requesters = ['HttpRequester', 'CustomRequester'] as const

export const requests = {
  HttpRequester: {
    'url_base?': 'template',
    'url?': 'template',
    'path?': 'template',
    // Airbyte: only the first two; jobs are ended with the others.
    'http_method?': { choice: ['GET', 'POST', 'DELETE', 'PUT', 'PATCH'] },
    'authenticator?': authenticators,
    'fetch_properties_from_endpoint?': 'PropertiesFromEndpoint',
    'query_properties?': 'QueryProperties',
    'request_parameters?': [{ map: ['template', 'QueryProperties'] }, 'template'],
    'request_headers?': [{ map: 'template' }, 'template'],
    'request_body_data?': [{ map: 'template' }, 'template'],
    'request_body_json?': ['map', 'template'],
    'request_body?': [
      'RequestBodyPlainText',
      'RequestBodyUrlEncodedForm',
      'RequestBodyJsonObject',
      'RequestBodyGraphQL',
    ],
    'error_handler?': errorHandlers,
    'use_cache?': 'boolean',
    'connect_timeout_in_seconds?': 'number',
    'read_timeout_in_seconds?': 'number',
    'use_tcp_keepalive?': 'boolean',
  },
  CustomRequester: { class_name: 'text' },
  RequestOption: {
    inject_into: { choice: ['request_parameter', 'header', 'body_data', 'body_json'] },
    'field_name?': 'template',
    'field_path?': { list: 'template' },
  },
  RequestPath: {},
  RequestBodyPlainText: { value: 'template' },
  RequestBodyUrlEncodedForm: { value: { map: 'template' } },
  RequestBodyJsonObject: { value: 'map' },
  RequestBodyGraphQL: { value: 'RequestBodyGraphQlQuery' },
  RequestBodyGraphQlQuery: { query: 'template' },
  QueryProperties: {
    property_list: [{ list: 'text' }, 'PropertiesFromEndpoint'],
    'always_include_properties?': { list: 'text' },
    'property_chunking?': 'PropertyChunking',
    'property_selector?': 'JsonSchemaPropertySelector',
  },
  PropertiesFromEndpoint: { property_field_path: { list: 'text' }, retriever: ['SimpleRetriever', 'CustomRetriever'] },
  PropertyChunking: {
    property_limit_type: { choice: ['characters', 'property_count'] },
    'property_limit?': 'integer',
    'record_merge_strategy?': 'GroupByKeyMergeStrategy',
  },
  GroupByKeyMergeStrategy: { key: ['text', { list: 'text' }] },
  JsonSchemaPropertySelector: { 'transformations?': { list: transformations } },
} as const
