/** Streams of a description → the text of a manifest. What is not confirmed is said in a comment next to it. */
import { flowList, indentedText, nested, pairsText, scalar, yamlOf } from '../from-request/manifest-text.ts'
import { isObject, type Members } from '../std/values/objects.ts'
import type { ApiDescription, DescribedInput } from './description.ts'
import { type ImportedStream, type StreamParent, wholeKey } from './streams/import-stream.ts'

export type WrittenApi = Pick<ApiDescription, 'title' | 'baseUrl' | 'auth' | 'inputs'>

export function importedManifest(api: WrittenApi, streams: readonly ImportedStream[], from: string): string {
  const { baseUrl, auth } = api
  const requester = [
    `type: HttpRequester\nurl_base: ${scalar(baseUrl)}\n`,
    auth.authenticator === null ? '' : `authenticator:\n${indentedText(yamlOf(auth.authenticator), 2)}`,
  ].join('')
  const parents = new Set(streams.flatMap(({ parent }) => (parent === null ? [] : [parent.stream])))
  return `# ${commentOf(api.title)}. Made by turnleaf import ${from}.
version: 6.0.0
type: DeclarativeSource

check:
  type: CheckStream
  stream_names: [${scalar(checkedStream(streams))}]

definitions:
  # Where the API is. Every stream adds its path.
  requester:
${indentedText(requester, 4)}${
  parents.size === 0
    ? ''
    : `  # Streams that others take values from.\n  parents:\n${[...parents]
        .map((name) =>
          parentText(
            streams.find((one) => one.name === name),
            api,
          ),
        )
        .join('')}`
}
streams:
${streams.map((stream) => streamText(stream, api)).join('')}
spec:
  type: Spec
  connection_specification:
    type: object
    $schema: http://json-schema.org/draft-07/schema#
    additionalProperties: true
${indentedText(inputsText(importedInputs(api, streams), streams), 4)}`
}

/** One that needs neither another stream nor a value of the user's. */
function checkedStream(streams: readonly ImportedStream[]): string {
  const simple = streams.find(
    ({ parent, inputs, endpoint }) => parent === null && inputs.length === 0 && !endpoint.isDeprecated,
  )
  return (simple ?? streams.find(({ parent }) => parent === null) ?? streams[0])?.name ?? ''
}

/** A copy without schema: what children need of it. Its name is that of the stream. */
function parentText(stream: ImportedStream | undefined, api: WrittenApi): string {
  if (stream === undefined) return ''
  const text = `type: DeclarativeStream\nname: ${scalar(stream.name)}\n${keyText(stream)}retriever:\n${indentedText(retrieverText(stream, api), 2)}schema_loader:\n  type: InlineSchemaLoader\n  schema: {}\n${addedText(stream)}`
  return `    ${scalar(stream.name)}:\n${indentedText(text, 6)}`
}

function streamText(stream: ImportedStream, api: WrittenApi): string {
  const { name, schema } = stream
  const comments = [...stream.notes, ...incrementalNote(stream)].map((note) => `# ${commentOf(note)}\n`).join('')
  return `  - type: DeclarativeStream
    name: ${scalar(name)}
${indentedText(comments, 4)}${indentedText(keyText(stream), 4)}    retriever:
${indentedText(retrieverText(stream, api), 6)}    schema_loader:
      type: InlineSchemaLoader
      schema:
${indentedText(schemaText(withParentKeys(schema() ?? anySchema, stream)), 8)}${indentedText(addedText(stream), 4)}`
}

function incrementalNote({ incremental }: ImportedStream): string[] {
  return incremental.map(
    ({ parameter, field }) =>
      `\`${parameter}\` may ask for new records only${field === null ? '' : `, compared with \`${field}\``}: see incremental_sync.`,
  )
}

function keyText(stream: ImportedStream): string {
  const [first, ...others] = wholeKey(stream)
  if (first === undefined) return ''
  return `primary_key: ${others.length === 0 ? scalar(first) : flowList([first, ...others])}\n`
}

/** Keys of the parents are fields of the record. */
function addedText({ parentKeys }: ImportedStream): string {
  if (parentKeys.length === 0) return ''
  const fields = parentKeys.map(({ field, template, isText }) =>
    [
      `    - path: ${flowList([field])}\n      value: ${scalar(template)}\n`,
      isText ? '      value_type: string\n' : '',
    ].join(''),
  )
  return `# Ids may begin anew for each parent: its key is part of this one.\ntransformations:\n  - type: AddFields\n    fields:\n${indentedText(fields.join(''), 2)}`
}

function withParentKeys(schema: Members, { parentKeys }: ImportedStream): Members {
  if (parentKeys.length === 0) return schema
  const added = parentKeys.map(({ field, isText }) => [field, isText ? { type: ['string', 'null'] } : {}])
  return { ...schema, properties: { ...(schema.properties as Members), ...Object.fromEntries(added) } }
}

function retrieverText(stream: ImportedStream, { auth }: WrittenApi): string {
  const { endpoint, path, query, headers, body, recordPath, paging, parent } = stream
  const request = [
    `$ref: "#/definitions/requester"\n`,
    endpoint.baseUrl === null ? '' : `url_base: ${scalar(endpoint.baseUrl)}\n`,
    `path: ${scalar(path)}\nhttp_method: ${endpoint.method}\n`,
    pairsText('request_parameters', uniquePairs([...auth.query, ...query])),
    pairsText('request_headers', uniquePairs([...auth.headers, ...headers])),
    body === null ? '' : `${body.key}:${nested(body.value, 2)}`,
  ].join('')
  const pages = paging.paginator === null ? '' : `paginator:\n${indentedText(yamlOf(paging.paginator), 2)}`
  return `type: SimpleRetriever
requester:
${indentedText(request, 2)}record_selector:
  type: RecordSelector
  extractor:
    type: DpathExtractor
    field_path: ${flowList(recordPath)}
# ${commentOf(stream.pagingNote)}
${pages}${parent === null ? '' : routerText(parent)}`
}

function uniquePairs<Pair extends readonly [string, string]>(pairs: readonly Pair[]): Pair[] {
  return [...new Map(pairs.map((pair) => [pair[0], pair])).values()]
}

function routerText({ stream, key, field }: StreamParent): string {
  return `partition_router:
  type: SubstreamPartitionRouter
  parent_stream_configs:
    - type: ParentStreamConfig
      stream:
        $ref: ${JSON.stringify(`#/definitions/parents/${stream}`)}
      parent_key: ${scalar(key)}
      partition_field: ${scalar(field)}
`
}

const anySchema = {
  type: 'object',
  $schema: 'http://json-schema.org/draft-07/schema#',
  additionalProperties: true,
  properties: {},
}

/** One line for each field without members. */
function schemaText(schema: Members): string {
  return Object.entries(schema)
    .map(([name, value]) => {
      if (name !== 'properties' || !isObject(value) || Object.keys(value).length === 0)
        return `${scalar(name)}:${nested(value, 2)}`
      const fields = Object.entries(value).map(([field, one]) => `  ${scalar(field)}:${fieldText(one as Members)}`)
      return `properties:\n${fields.join('')}`
    })
    .join('')
}

function fieldText(field: Members): string {
  const isFlat = !isObject(field.properties) && !isObject(field.items)
  if (isFlat) return ` ${flowOf(field)}\n`
  if (isObject(field.items) && !isObject(field.items.properties) && !isObject(field.items.items))
    return ` ${flowOf(field)}\n`
  const { items, ...own } = field
  const inside = isObject(items) ? `items:\n${indentedText(schemaText(items), 2)}` : ''
  return `\n${indentedText(`${schemaText(own)}${inside}`, 4)}`
}

function flowOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flowOf).join(', ')}]`
  if (isObject(value))
    return `{ ${Object.entries(value)
      .map(([name, one]) => `${scalar(name)}: ${flowOf(one)}`)
      .join(', ')} }`.replace('{  }', '{}')
  return typeof value === 'string' ? scalar(value) : JSON.stringify(value)
}

/** One input of each name. */
export function importedInputs(api: Pick<WrittenApi, 'inputs'>, streams: readonly ImportedStream[]): DescribedInput[] {
  const all = [...api.inputs, ...streams.flatMap(({ inputs }) => inputs)]
  const found = new Map<string, DescribedInput>()
  for (const input of all) if (!found.has(input.name)) found.set(input.name, input)
  // What only some streams need does not keep the others from being read.
  const isForAll = ({ name }: DescribedInput) => streams.every(({ inputs }) => inputs.some((one) => one.name === name))
  for (const input of found.values()) {
    const isShared = api.inputs.some(({ name }) => name === input.name)
    if (!isShared && !isForAll(input)) found.set(input.name, { ...input, isRequired: false })
  }
  return [...found.values()]
}

function inputsText(inputs: readonly DescribedInput[], streams: readonly ImportedStream[]): string {
  if (inputs.length === 0) return 'properties: {}\n'
  const required = inputs.filter(({ isRequired }) => isRequired).map(({ name }) => name)
  const properties = inputs.map(({ name, title, isSecret, fallback, choices }, order) =>
    [
      `  ${scalar(name)}:\n    type: string\n    title: ${scalar(title)}\n`,
      neededBy(name, streams),
      isSecret ? '    airbyte_secret: true\n' : '',
      fallback === undefined ? '' : `    default: ${JSON.stringify(fallback)}\n`,
      choices === undefined ? '' : `    enum: ${JSON.stringify(choices)}\n`,
      `    order: ${order}\n`,
    ].join(''),
  )
  return `required: ${flowList(required)}\nproperties:\n${properties.join('')}`
}

function neededBy(input: string, streams: readonly ImportedStream[]): string {
  const names = streams.filter(({ inputs }) => inputs.some(({ name }) => name === input)).map(({ name }) => name)
  if (names.length === 0 || names.length === streams.length) return ''
  return `    description: ${JSON.stringify(`Needed by ${names.slice(0, 5).join(', ')}${names.length > 5 ? ' …' : ''}.`)}\n`
}

/** On one line, whatever the description wrote. */
function commentOf(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\uFEFF\uFFFE\uFFFF]+/gu, ' ')
    .replaceAll(/\p{Cs}/gu, '')
    .trim()
    .slice(0, 300)
}
