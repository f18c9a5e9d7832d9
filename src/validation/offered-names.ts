/** A field of a manifest → the names that its templates can use. */
import type { Component } from '../engine/manifest/manifest.ts'
import { componentsWithin } from '../engine/manifest/components.ts'
import type { FoundString } from './strings-in.ts'

const always = ['config', 'parameters']
const slice = ['stream_slice', 'stream_interval', 'stream_partition']
const request = [...slice, 'next_page_token']
const record = [...request, 'record']
const page = ['response', 'headers', 'last_record', 'last_records', 'last_page_size', 'page_size']

const ofRequest = fieldsOf(
  'url url_base path request_parameters request_headers request_body_json request_body_data request_body',
  request,
)
const ofBody = fieldsOf('value', request)
const ofAuth = fieldsOf('api_token username password', ['json_loads'])

/** Only fields whose templates are evaluated in every read, or for every record: an unknown name there always fails. */
const namesByField: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  HttpRequester: ofRequest,
  RequestBodyPlainText: ofBody,
  RequestBodyUrlEncodedForm: ofBody,
  RequestBodyJsonObject: ofBody,
  RequestBodyGraphQL: ofBody,
  CursorPagination: { ...fieldsOf('cursor_value stop_condition', page), page_size: [] },
  PageIncrement: { page_size: [] },
  OffsetIncrement: { page_size: ['response'] },
  RequestOption: { field_name: [], field_path: [] },
  RecordFilter: { condition: record },
  AddedFieldDefinition: { value: record },
  DpathExtractor: { field_path: [] },
  HttpResponseFilter: { predicate: ['response', 'headers'] },
  DatetimeBasedCursor: fieldsOf('cursor_field start_datetime end_datetime step cursor_granularity lookback_window', []),
  MinMaxDatetime: fieldsOf('datetime min_datetime max_datetime', []),
  ListPartitionRouter: fieldsOf('values cursor_field', []),
  ApiKeyAuthenticator: ofAuth,
  BearerAuthenticator: ofAuth,
  BasicHttpAuthenticator: ofAuth,
}

function fieldsOf(fields: string, names: readonly string[]): Record<string, readonly string[]> {
  return Object.fromEntries(fields.split(' ').map((field) => [field, names]))
}

/** Requests of a job can use earlier responses; requests of properties, their names. */
const ofResponses = ['creation_response', 'polling_response', 'download_target', 'query_properties']

/** Returns null where the names are not known for certain. */
export function namesOfferedIn(stream: Component): (found: FoundString) => readonly string[] | null {
  const within = componentsWithin(stream)
  // A custom class, or a template that generates streams, may add names.
  const isOpen = within.some(({ type }) =>
    /^Custom(PartitionRouter|Retriever|Requester)$|^Dynamic|Resolver$/.test(type),
  )
  if (isOpen) return () => null
  const extra = within.flatMap(({ node }) => extraFieldsOf(node))
  return ({ owner }) => {
    if (owner === null || !Object.hasOwn(namesByField, owner.type)) return null
    const names = namesByField[owner.type]?.[owner.field]
    if (names === undefined) return null
    return names === request ? [...always, ...names, ...ofResponses, ...extra] : [...always, ...names]
  }
}

/** `extra_fields` of parent records become names. */
function extraFieldsOf(node: object): string[] {
  const { extra_fields: fields } = node as { extra_fields?: unknown }
  return Array.isArray(fields) ? fields.flat().filter((name) => typeof name === 'string') : []
}
