/** Requests that a person made, with the responses they got → the description of an API. No secret of them is part of it. */
import type { GivenRequest } from '../from-request/given-request.ts'
import { authenticatorOf, bodyField } from '../from-request/request-components.ts'
import { type FoundCredential, type OpenRequest, takeSecrets } from '../from-request/take-secrets.ts'
import { isLikelyPagingName } from '../proof/names/paging-names.ts'
import { escapePattern } from '../std/text/escape-pattern.ts'
import { count } from '../std/text/format-count.ts'
import { isList, isObject } from '../std/values/objects.ts'
import type { ApiDescription, DescribedAuth, DescribedInput, DescribedParameter, ListEndpoint } from './description.ts'
import { configTemplate, isTemplateLike } from './input-names.ts'
import { findRecordList } from './openapi/find-list.ts'
import { pathWords } from './openapi/endpoints.ts'
import { openReferences } from './openapi/references.ts'
import { schemaViews } from './openapi/schema-view.ts'
import { sampleSchema } from './sample-schema.ts'

export type CapturedRequest = {
  readonly given: GivenRequest
  /** With parameters in braces. */
  readonly path: string
  /** The decoded body of the response; undefined where none was kept. */
  readonly sample: unknown
  readonly responseHeaders: Readonly<Record<string, string>>
  /** Names of parameters that the request could have. */
  readonly offered: readonly string[]
  readonly words: string
}

export type RecordedApi = {
  readonly title: string
  /** Of all requests that are described. */
  readonly baseUrl: string
  readonly requests: readonly CapturedRequest[]
  /** The last change of every text that is sent: markers → templates. */
  readonly finish: (text: string) => string
  readonly inputs: readonly DescribedInput[]
  /** Where the file itself says how to authenticate. */
  readonly auth: { readonly auth: DescribedAuth; readonly inputs: readonly DescribedInput[] } | null
  readonly notes: readonly string[]
  /** Operations that were left out already. */
  readonly others: number
  /** Values that must not be written, whatever their place. */
  readonly secrets: readonly string[]
}

export function describeRequests(api: RecordedApi): ApiDescription {
  const viewOf = schemaViews(openReferences({}))
  const found: { readonly endpoint: ListEndpoint; readonly open: OpenRequest }[] = []
  const itemPaths: string[] = []
  const seen = new Set<string>()
  let { others } = api
  let texts = 0
  for (const recorded of api.requests) {
    const request = {
      ...recorded,
      given: withUsableNames(recorded.given),
      path: pathWithout(recorded.path, api.secrets),
    }
    const { given, path, sample } = request
    if (/\}[^/{}]*$/.test(path)) itemPaths.push(path)
    const names = [...given.query.map(([name]) => name), ...request.offered]
    const hasPages = names.some(isLikelyPagingName)
    const isItem = /\}[^/]*$/.test(path)
    const { wanted, before } = pathWords(path)
    const list =
      sample === undefined
        ? withoutSample(isItem, hasPages, wanted)
        : findRecordList(sampleSchema(sample), { viewOf, wanted, before, isItem, hasPages })
    const key = `${given.method} ${path} ${operationOf(given)}`
    if (list === null || !isReading(given, path)) others++
    else if (given.body?.kind === 'text') texts++
    else if (!seen.has(key)) {
      seen.add(key)
      const open = withTexts(withoutKnown(takeSecrets(given), api.secrets), api.finish)
      found.push({ open, endpoint: endpointOf(request, open, list) })
    }
  }
  const signed = api.auth ?? mostUsed(found.map(({ open }) => open))
  const inputs = [...api.inputs, ...signed.inputs, ...found.flatMap(({ open }) => open.inputs.map(secretInput))]
  const used = new Set(inputs.map(({ name }) => name))
  return {
    title: api.title,
    baseUrl: api.baseUrl,
    auth: signed.auth,
    inputs: [...used].map((name) => inputs.find((one) => one.name === name)).filter((one) => one !== undefined),
    endpoints: found.map(({ endpoint }) => endpoint),
    itemPaths,
    others,
    notes: [
      ...api.notes,
      ...(texts === 0
        ? []
        : [
            `${count(texts, 'request')} with a body that is neither JSON nor a form ${texts === 1 ? 'was' : 'were'} left out: it may hold a secret.`,
          ]),
      ...(signed.auth.authenticator === null
        ? [
            'No credential was found in the requests. If the API needs one, add an authenticator to `definitions.requester`.',
          ]
        : []),
    ],
  }
}

/** A part of a path that holds a secret of another request is an input. */
function pathWithout(path: string, secrets: readonly string[]): string {
  const long = secrets.filter((one) => one.length >= shortestSecret)
  return path
    .split('/')
    .map((part) => (long.some((one) => part.includes(one)) ? '{secret}' : part))
    .join('/')
}

/** Shorter texts are words that may be anywhere. */
const shortestSecret = 6

/** Parameters and headers that can be sent: files that people edit have others, too. */
function withUsableNames(given: GivenRequest): GivenRequest {
  return {
    ...given,
    query: given.query.filter(([name]) => name !== '' && !isTemplateLike(name)),
    headers: given.headers.filter(([name]) => /^[\w!#$%&'*+.^`|~-]+$/.test(name)),
  }
}

/** GET, or a POST that only asks. */
function isReading({ method, body }: GivenRequest, path: string): boolean {
  if (method === 'GET') return true
  if (method !== 'POST') return false
  const query = body?.kind === 'json' && isObject(body.value) ? body.value.query : undefined
  if (typeof query === 'string' && /graphql/i.test(path)) return !/^\s*(mutation|subscription)\b/.test(query)
  return /(search|query|list|find|filter|lookup|browse)[^/]*$/i.test(path)
}

/** Requests of GraphQL differ in their body alone. */
function operationOf({ body }: GivenRequest): string {
  const name = body?.kind === 'json' && isObject(body.value) ? body.value.operationName : undefined
  return typeof name === 'string' ? name : ''
}

/** Without a response only the path speaks: a word in the plural, or parameters that turn pages. */
function withoutSample(isItem: boolean, hasPages: boolean, wanted: string): ListEndpoint['list'] | null {
  if (isItem || !(hasPages || /[^s]s$/.test(wanted))) return null
  return { path: [], schema: () => null, fields: [], envelope: [] }
}

function endpointOf(request: CapturedRequest, open: OpenRequest, list: ListEndpoint['list']): ListEndpoint {
  const { path, sample, offered, words, responseHeaders, given } = request
  const isGet = given.method === 'GET'
  const body = isGet ? null : bodyField(open.body)
  const named = new Set([...open.query.map(([name]) => name), ...offered].filter((name) => !isTemplateLike(name)))
  const fields = body !== null && isObject(body.value) ? Object.entries(body.value) : []
  return {
    method: isGet ? 'GET' : 'POST',
    path,
    baseUrl: null,
    parameters: [
      ...[...named].map((name) => parameterOf(name, 'query', open.query.find(([known]) => known === name)?.[1])),
      ...fields.map(([name, value]) => parameterOf(name, 'body', value)),
    ],
    recorded: { query: open.query, headers: open.headers, body },
    bodyKind: body === null ? null : body.key === 'request_body_json' ? 'json' : 'form',
    list,
    responseHeaders: Object.entries(responseHeaders).map(([name, value]) => ({
      name,
      words: /^link$/i.test(name) ? value : '',
    })),
    words,
    isDeprecated: false,
    notes: sample === undefined ? ['There is no response to learn from: the record path is a guess.'] : [],
  }
}

function parameterOf(name: string, place: 'query' | 'body', value: unknown): DescribedParameter {
  const isNumber = typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value))
  const type = isNumber
    ? 'integer'
    : typeof value === 'string'
      ? 'string'
      : value === undefined
        ? null
        : isList(value)
          ? 'array'
          : typeof value
  // The value that was sent is a page size that the API takes; which page it was says nothing about the first.
  const fallback = isNumber ? Number(value) : null
  return { name, in: place, type, isRequired: false, fallback, choices: [], minimum: null, maximum: null, words: '' }
}

function secretInput({ name, title }: { readonly name: string; readonly title: string }): DescribedInput {
  return { name, title, isSecret: true, isRequired: true }
}

/** How most of the requests sign in. */
function mostUsed(requests: readonly OpenRequest[]): {
  readonly auth: DescribedAuth
  readonly inputs: readonly DescribedInput[]
} {
  const counts = new Map<string, { count: number; credential: FoundCredential }>()
  for (const { authentication } of requests) {
    if (authentication === null) continue
    const key = JSON.stringify(authentication)
    counts.set(key, { count: (counts.get(key)?.count ?? 0) + 1, credential: authentication })
  }
  const [best] = [...counts.values()].toSorted((one, other) => other.count - one.count)
  const credential = best?.credential ?? null
  const says =
    credential === null
      ? 'none found'
      : credential.kind === 'bearer'
        ? 'a bearer token'
        : credential.kind === 'basic'
          ? 'user and password (basic)'
          : `${credential.into === 'header' ? 'the header' : 'the query parameter'} ${credential.field}`
  return { auth: { authenticator: authenticatorOf(credential), headers: [], query: [], says }, inputs: [] }
}

/** A secret of one request may be in another under a name that says nothing: it becomes an input there, too. */
function withoutKnown(open: OpenRequest, secrets: readonly string[]): OpenRequest {
  const long = secrets.filter((one) => one.length >= shortestSecret)
  let isUsed = false
  // Templates stay: a secret may be a word of one, such as `secret`. The longest first, since one may be part of another.
  const longestFirst = long.toSorted((one, other) => other.length - one.length)
  const pattern = new RegExp([String.raw`\{\{[^{}]*\}\}`, ...longestFirst.map(escapePattern)].join('|'), 'g')
  const clean = (text: string): string =>
    text.replaceAll(pattern, (found) => {
      if (found.startsWith('{{')) return found
      isUsed = true
      return configTemplate('secret')
    })
  const cleaned = withTexts(open, clean)
  return isUsed ? { ...cleaned, inputs: [...open.inputs, { name: 'secret', title: 'Secret' }] } : cleaned
}

/** The request with every text in query, headers and body changed. */
function withTexts(open: OpenRequest, change: (text: string) => string): OpenRequest {
  const changeAll = (value: unknown): unknown => {
    if (typeof value === 'string') return change(value)
    if (isList(value)) return value.map(changeAll)
    if (!isObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, changeAll(one)]))
  }
  const pairs = (given: OpenRequest['query']) => given.map(([name, value]) => [name, change(value)] as const)
  const { body } = open
  return {
    ...open,
    query: pairs(open.query),
    headers: pairs(open.headers),
    body:
      body?.kind === 'json'
        ? { ...body, value: changeAll(body.value) }
        : body?.kind === 'form'
          ? { ...body, pairs: pairs(body.pairs) }
          : body,
  }
}
