/** A Postman collection, v2.0 or v2.1 → the description of the API it asks. */
import { type GivenBody, type GivenRequest, keptHeaders, type Pair } from '../../from-request/given-request.ts'
import { takeSecrets } from '../../from-request/take-secrets.ts'
import { ConnectorError } from '../../std/errors.ts'
import { isList, isObject, type Members } from '../../std/values/objects.ts'
import type { ApiDescription } from '../description.ts'
import { parseDescription } from '../openapi/parse-document.ts'
import { describeRequests, type CapturedRequest } from '../describe-requests.ts'
import { collectionAuth } from './collection-auth.ts'
import { openVariables, type Variables } from './variables.ts'

const deepest = 30

export function readPostman(text: string): ApiDescription {
  const parsed = parseDescription(text)
  // The API of Postman wraps the collection.
  const root = isObject(parsed) && isObject(parsed.collection) ? parsed.collection : parsed
  if (!isObject(root) || !isObject(root.info) || !isList(root.item)) throw notPostman(root)
  const variables = openVariables(root.variable)
  const items = itemsIn(root.item, 0, root.auth)
  const bases = new Map<string, number>()
  const requests = items.flatMap((item) => {
    const read = requestOf(item, variables)
    if (read !== null) bases.set(read.given.origin, (bases.get(read.given.origin) ?? 0) + 1)
    return read ?? []
  })
  const [most, ...elsewhere] = [...bases].toSorted(([, one], [, other]) => other - one)
  const origin = most?.[0] ?? ''
  const own = requests.filter(({ given }) => given.origin === origin)
  const auth = collectionAuth(
    items.map((one) => one.auth),
    variables,
  )
  const { name } = root.info
  return describeRequests({
    title: typeof name === 'string' && name.trim() !== '' ? variables.plain(name.trim()) : 'collection',
    baseUrl: variables.templates(origin),
    finish: variables.templates,
    requests: own.map((request) => ({ ...request, given: { ...request.given, origin: 'https://collection.invalid' } })),
    inputs: variables.inputs(),
    auth,
    others: 0,
    notes: [
      ...variables.notes(),
      ...(elsewhere.length === 0
        ? []
        : [
            `Requests to other addresses were left out: ${elsewhere
              .slice(0, 5)
              .map(([one]) => variables.shown(one))
              .join(', ')}.`,
          ]),
    ],
    secrets: own
      .flatMap(({ given }) => Object.values(takeSecrets(given).values))
      .filter((one) => !variables.isMarked(one)),
  })
}

function notPostman(root: unknown): ConnectorError {
  const why = !isObject(root)
    ? 'It is not an object.'
    : root.openapi !== undefined || root.swagger !== undefined
      ? 'It is an OpenAPI document: use `npx turnleaf import openapi`.'
      : isList(root.requests)
        ? 'It is a collection of the format 1.'
        : 'It has no `info` and `item`.'
  return new ConnectorError('import/not-postman', `This is not a Postman collection. ${why}`)
}

type Item = { readonly request: Members; readonly item: Members; readonly auth: unknown }

/** Requests of all folders, each with the authentication of the nearest folder that has one. */
function itemsIn(items: readonly unknown[], depth: number, auth: unknown): Item[] {
  if (depth > deepest) return []
  return items.filter(isObject).flatMap((item) => {
    const own = item.auth ?? auth
    if (isList(item.item)) return itemsIn(item.item, depth + 1, own)
    const { request } = item
    if (typeof request === 'string') return [{ request: { url: request, method: 'GET' }, item, auth: own }]
    return isObject(request) ? [{ request, item, auth: request.auth ?? own }] : []
  })
}

function requestOf({ request, item }: Item, variables: Variables): CapturedRequest | null {
  const raw = rawUrl(request.url)
  if (raw === null) return null
  const parts = variables.split(raw)
  if (parts === null) return null
  const { origin, path, query } = parts
  const listed = isObject(request.url) && isList(request.url.query) ? request.url.query.filter(isObject) : []
  const namesOf = (isDisabled: boolean) =>
    listed
      .filter(({ disabled }) => (disabled === true) === isDisabled)
      .flatMap(({ key }) => (typeof key === 'string' ? [key] : []))
  // Of several values of one parameter, people disable the others.
  const sent = new Set(namesOf(false))
  const offered = namesOf(true).filter((name) => !sent.has(name))
  const hidden = new Set(offered)
  const body = bodyOf(request.body, variables)
  const headers = pairsOf(request.header, variables)
  const given: GivenRequest = {
    method: typeof request.method === 'string' ? request.method.toUpperCase() : 'GET',
    origin,
    path,
    query: query.filter(([name]) => !hidden.has(name) || !raw.includes(`${name}=`)),
    headers: keptHeaders(headers, body !== null && body.kind !== 'text'),
    body,
    user: null,
    notes: [],
  }
  const answer = (isList(item.response) ? item.response : []).filter(isObject).find((one) => isSample(one))
  return {
    given,
    path: given.path === '' ? '/' : given.path,
    sample: answer === undefined ? undefined : parsedJson(answer.body),
    responseHeaders: answer === undefined ? {} : Object.fromEntries(pairsOf(answer.header, variables)),
    offered,
    words: typeof item.name === 'string' ? item.name : '',
  }
}

function isSample({ code, body }: Members): boolean {
  const status = code === undefined ? 200 : Number(code)
  return status >= 200 && status < 300 && parsedJson(body) !== undefined
}

function rawUrl(url: unknown): string | null {
  if (typeof url === 'string') return url
  if (!isObject(url)) return null
  if (typeof url.raw === 'string' && url.raw !== '') return url.raw
  const join = (value: unknown, by: string) =>
    isList(value) ? value.filter((one) => typeof one === 'string').join(by) : typeof value === 'string' ? value : ''
  const host = join(url.host, '.')
  if (host === '') return null
  const scheme = typeof url.protocol === 'string' ? `${url.protocol}://` : ''
  const port = typeof url.port === 'string' && url.port !== '' ? `:${url.port}` : ''
  return `${scheme}${host}${port}/${join(url.path, '/')}${searchOf(url.query)}`
}

/** Generators leave out the whole address, and so its query. */
function searchOf(query: unknown): string {
  const pairs = (isList(query) ? query : []).flatMap((one) => {
    if (!isObject(one) || typeof one.key !== 'string' || one.disabled === true) return []
    return typeof one.value === 'string' ? `${one.key}=${one.value}` : one.key
  })
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

function pairsOf(list: unknown, variables: Variables): Pair[] {
  return (isList(list) ? list : []).flatMap((one) =>
    isObject(one) && typeof one.key === 'string' && typeof one.value === 'string' && one.disabled !== true
      ? [[variables.fill(one.key), variables.fill(one.value)] as const]
      : [],
  )
}

function bodyOf(body: unknown, variables: Variables): GivenBody | null {
  if (!isObject(body)) return null
  if (body.mode === 'urlencoded') return { kind: 'form', pairs: pairsOf(body.urlencoded, variables) }
  if (body.mode === 'graphql' && isObject(body.graphql)) {
    const { query, variables: given } = body.graphql
    return {
      kind: 'json',
      value: { query, variables: typeof given === 'string' ? (parsedJson(given) ?? {}) : (given ?? {}) },
    }
  }
  if (body.mode !== 'raw' || typeof body.raw !== 'string' || body.raw.trim() === '') return null
  const value = parsedJson(variables.fill(body.raw))
  return value === undefined ? { kind: 'text', text: body.raw } : { kind: 'json', value }
}

function parsedJson(text: unknown): unknown {
  if (typeof text !== 'string') return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
