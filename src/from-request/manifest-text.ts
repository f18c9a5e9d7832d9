/** What is known of an API → the text of a small manifest, written as a person would. */
import { stringifyJson } from '../std/json.ts'

export type Pairs = readonly (readonly [name: string, value: string])[]

export type FirstStream = {
  readonly name: string
  readonly path: string
  readonly method: string
  readonly query: Pairs
  /** In the place of the query: a template that gives all of it. */
  readonly queryTemplate?: string | null
  readonly headers: Pairs
  readonly body: { readonly key: 'request_body_json' | 'request_body_data'; readonly value: unknown } | null
  /** What was found out by asking the API; without it the form starts empty. */
  readonly found?: FoundStream
}

export type FoundStream = {
  readonly recordPath: readonly string[]
  readonly primaryKey: string | null
  /** Said above the paginator. */
  readonly note: string | null
  readonly paginator: Readonly<Record<string, unknown>> | null
  readonly errorHandler: Readonly<Record<string, unknown>> | null
  readonly schema: Readonly<Record<string, unknown>> | null
}

export type ManifestFacts = {
  readonly baseUrl: string
  readonly authenticator: Readonly<Record<string, unknown>> | null
  readonly stream: FirstStream | null
  /** Every one of them is a secret. */
  readonly inputs: readonly { readonly name: string; readonly title: string }[]
}

export function manifestText({ baseUrl, authenticator, stream, inputs }: ManifestFacts): string {
  const check = stream === null ? '[]' : `[${scalar(stream.name)}]`
  return `version: 6.0.0
type: DeclarativeSource

check:
  type: CheckStream
  stream_names: ${check}

definitions:
  # Where the API is. Every stream adds its path.
  requester:
    type: HttpRequester
    url_base: ${scalar(baseUrl)}
${authenticator === null ? '' : `    authenticator:\n${indentedText(yamlOf(authenticator), 6)}`}
streams:${stream === null ? ' []\n' : `\n${streamText(stream)}`}
spec:
  type: Spec
  connection_specification:
    type: object
    $schema: http://json-schema.org/draft-07/schema#
    additionalProperties: true
${inputs.length === 0 ? '    properties: {}\n' : indentedText(inputsText(inputs), 4)}`
}

function streamText(stream: FirstStream): string {
  const { name, path, method, query, queryTemplate = null, headers, body, found } = stream
  const { recordPath = [], primaryKey = null, note = null, paginator = null, errorHandler, schema } = found ?? {}
  const request = [
    `$ref: "#/definitions/requester"\npath: ${scalar(path)}\nhttp_method: ${method}\n`,
    queryTemplate === null ? pairsText('request_parameters', query) : `request_parameters: ${scalar(queryTemplate)}\n`,
    pairsText('request_headers', headers),
    body === null ? '' : `${body.key}:${nested(body.value, 2)}`,
    errorHandler ? `error_handler:\n${indentedText(yamlOf(errorHandler), 2)}` : '',
  ].join('')
  const pages = paginator === null ? '' : `paginator:\n${indentedText(yamlOf(paginator), 2)}`
  return `  - type: DeclarativeStream
    name: ${scalar(name)}
${primaryKey === null ? '' : `    primary_key: ${scalar(primaryKey)}\n`}    retriever:
      type: SimpleRetriever
      requester:
${indentedText(request, 8)}      record_selector:
        type: RecordSelector
        extractor:
          type: DpathExtractor
          field_path: ${flowList(recordPath)}
${note === null ? '' : `      # ${note}\n`}${indentedText(pages, 6)}    schema_loader:
      type: InlineSchemaLoader
      schema:
${indentedText(yamlOf(schema ?? anySchema), 8)}`
}

const anySchema = {
  type: 'object',
  $schema: 'http://json-schema.org/draft-07/schema#',
  additionalProperties: true,
  properties: {},
}

export function pairsText(key: string, pairs: Pairs): string {
  if (pairs.length === 0) return ''
  return `${key}:\n${pairs.map(([name, value]) => `  ${scalar(name)}: ${scalar(value)}\n`).join('')}`
}

function inputsText(inputs: ManifestFacts['inputs']): string {
  const properties = inputs.map(
    ({ name, title }, order) =>
      `  ${name}:\n    type: string\n    title: ${scalar(title)}\n    airbyte_secret: true\n    order: ${order}\n`,
  )
  return `required: [${inputs.map(({ name }) => name).join(', ')}]\nproperties:\n${properties.join('')}`
}

export function yamlOf(value: Readonly<Record<string, unknown>>): string {
  return Object.entries(value)
    .map(([key, one]) => `${scalar(key)}:${nested(one, 2)}`)
    .join('')
}

/** What follows a colon: a map of its own on the next lines, or the value in JSON, which is YAML too. */
export function nested(value: unknown, depth: number): string {
  const isMap = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return ` ${flowList(value)}\n`
  if (isMap && Object.keys(value).length > 0)
    return `\n${indentedText(yamlOf(value as Record<string, unknown>), depth)}`
  return ` ${typeof value === 'string' ? scalar(value) : stringifyJson(value)}\n`
}

export function flowList(texts: readonly string[]): string {
  return `[${texts.map(scalar).join(', ')}]`
}

export function indentedText(text: string, depth: number): string {
  return text.replaceAll(/^(?=.)/gm, ' '.repeat(depth))
}

/** Plain where every reader of YAML takes it for text; quoted as JSON is, elsewhere. */
export function scalar(text: string): string {
  const isPlain =
    /^(?:https?:\/\/|\/)?[A-Za-z][\w./-]*$/.test(text) && !/^(?:y|n|yes|no|on|off|true|false|null|inf|nan)$/i.test(text)
  // JSON leaves two line ends of Unicode as they are, and YAML 1.1 does not.
  return isPlain ? text : JSON.stringify(text).replaceAll(/[\u007F-\u009F\u2028\u2029\uFEFF]/g, asEscape)
}

function asEscape(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
}
