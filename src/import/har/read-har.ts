/** A HAR file, as the network tab of a browser saves it → the description of the API that the page used. */
import {
  addressParts,
  type GivenBody,
  type GivenRequest,
  keptHeaders,
  type Pair,
  parsePairs,
} from '../../from-request/given-request.ts'
import { takeSecrets } from '../../from-request/take-secrets.ts'
import { ConnectorError } from '../../std/errors.ts'
import { count } from '../../std/text/format-count.ts'
import { isList, isObject, type Members } from '../../std/values/objects.ts'
import type { ApiDescription } from '../description.ts'
import { parseDescription } from '../openapi/parse-document.ts'
import { describeRequests, type CapturedRequest } from '../describe-requests.ts'
import { isSecretValue, looksRandom } from '../../from-request/secret-words.ts'

type Entry = { readonly given: GivenRequest; readonly status: number; readonly response: Members }

export function readHar(text: string): ApiDescription {
  const root = parseDescription(text)
  const log = isObject(root) && isObject(root.log) ? root.log : null
  if (log === null || !isList(log.entries)) throw notHar(isObject(root) && root.openapi !== undefined)
  const entries = log.entries.filter(isObject).flatMap((one) => entryOf(one) ?? [])
  // Of all requests, also of logins: what is secret there is secret everywhere.
  const secrets = new Set(entries.flatMap(({ given }) => Object.values(takeSecrets(given).values)))
  const read = entries.flatMap((entry) => recordedOf(entry) ?? [])
  const origins = new Map<string, number>()
  for (const { given } of read) origins.set(given.origin, (origins.get(given.origin) ?? 0) + 1)
  const [most, ...elsewhere] = [...origins].toSorted(([, one], [, other]) => other - one)
  const origin = most?.[0] ?? ''
  return describeRequests({
    title: origin.replace(/^https?:\/\//, '') || 'recording',
    baseUrl: origin,
    finish: (sent) => sent,
    requests: withPathParameters(read.filter(({ given }) => given.origin === origin)),
    inputs: [],
    auth: null,
    others: unreadIn(entries.filter(({ given }) => given.origin === origin)),
    notes:
      elsewhere.length === 0
        ? []
        : [
            `Responses of ${count(elsewhere.length, 'other host')} were left out, since credentials belong to one: ${elsewhere
              .slice(0, 5)
              .map(([one]) => one)
              .join(', ')}.`,
          ],
    secrets: [...secrets],
  })
}

function notHar(isOpenApi: boolean): ConnectorError {
  const why = isOpenApi ? 'It is an OpenAPI document: use `npx turnleaf import openapi`.' : 'It has no `log.entries`.'
  return new ConnectorError('import/not-har', `This is not a HAR file. ${why}`)
}

function entryOf({ request, response }: Members): Entry | null {
  if (!isObject(request) || !isObject(response) || typeof request.url !== 'string') return null
  const parts = addressParts(request.url)
  if (parts === null) return null
  const body = bodyOf(request.postData)
  const headers = keptHeaders(pairsOf(request.headers), body !== null && body.kind !== 'text')
  const method = typeof request.method === 'string' ? request.method.toUpperCase() : 'GET'
  return { given: { ...parts, method, headers, body, notes: [] }, status: Number(response.status), response }
}

function pairsOf(list: unknown): Pair[] {
  return (isList(list) ? list : []).flatMap((one) =>
    isObject(one) && typeof one.name === 'string' && typeof one.value === 'string'
      ? [[one.name, one.value] as const]
      : [],
  )
}

function bodyOf(data: unknown): GivenBody | null {
  if (!isObject(data)) return null
  const type = typeof data.mimeType === 'string' ? data.mimeType : ''
  const text = typeof data.text === 'string' ? data.text : ''
  if (/json/i.test(type)) {
    const value = parsedJson(text)
    return value === undefined ? { kind: 'text', text } : { kind: 'json', value }
  }
  if (/form-urlencoded/i.test(type))
    return { kind: 'form', pairs: text === '' ? pairsOf(data.params) : parsePairs(text) }
  return text === '' ? null : { kind: 'text', text }
}

/** Part of a web page: no operation of the API. */
function isOfPage(mimeType: unknown): boolean {
  return typeof mimeType === 'string' && /html|javascript|css|image|font/i.test(mimeType)
}

/** Operations of which no response is JSON. */
function unreadIn(entries: readonly Entry[]): number {
  const keyOf = ({ given }: { readonly given: GivenRequest }) => `${given.method} ${given.path}`
  const read = new Set(entries.flatMap((entry) => recordedOf(entry) ?? []).map(keyOf))
  const others = entries.filter(({ response }) => isObject(response.content) && !isOfPage(response.content.mimeType))
  return new Set(others.map(keyOf).filter((key) => !read.has(key))).size
}

function recordedOf({ given, status, response }: Entry): CapturedRequest | null {
  if (!(status >= 200 && status < 300) || !isObject(response.content)) return null
  const { text, encoding, mimeType } = response.content
  if (typeof text !== 'string' || text === '' || isOfPage(mimeType)) return null
  const sample = parsedJson(encoding === 'base64' ? Buffer.from(text, 'base64').toString() : text)
  if (sample === undefined || typeof sample !== 'object') return null
  const responseHeaders = Object.fromEntries(pairsOf(response.headers))
  return { given, path: given.path === '' ? '/' : given.path, sample, responseHeaders, offered: [], words: '' }
}

/** A parameter in the place of each id: `/users/17/orders` → `/users/{user_id}/orders`. The first request of each path counts. */
function withPathParameters(requests: readonly CapturedRequest[]): CapturedRequest[] {
  return requests.map((request) => {
    const parts = request.path.split('/')
    const path = parts
      .map((part, index) => (isId(part) ? `{${parameterName(parts[index - 1] ?? '')}}` : part))
      .join('/')
    return { ...request, path }
  })
}

const idLike = /^(\d+|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|[\da-f]{16,}|[A-Za-z]+_[A-Za-z\d]{8,})$/i

/** An id, an address of a person, or a key: nothing of it is the same for every user. */
function isId(part: string): boolean {
  // A year is a word of the path.
  if (/^\d+$/.test(part)) return !/^(19|20)\d\d$/.test(part)
  return (idLike.test(part) && /\d/.test(part)) || isSecretValue(part) || looksRandom(part) || /@|%40/.test(part)
}

function parameterName(before: string): string {
  const word = before
    .replaceAll(/[^A-Za-z\d]+/g, '_')
    .replace(/ies$/, 'y')
    .replace(/s$/, '')
  return word === '' || before.startsWith('{') ? 'id' : `${word.toLowerCase()}_id`
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
