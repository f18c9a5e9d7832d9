/** One request as the mirror received it, and one response. */
import { queryDecode, percentDecode } from '../../std/text/percent-decode.ts'

export type MirrorRequest = {
  readonly method: string
  /** As the connector wrote it, its own host included. */
  readonly url: URL
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

export type MirrorResponse = {
  /** 200 when absent. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON unless it is text or bytes. */
  readonly body: unknown
  /** Whether it comes in many small pieces. */
  readonly isSlow?: boolean
}

/** Equal requests have equal keys. */
export function keyOf(request: MirrorRequest): string {
  const { method, url, body } = request
  return [method, url.href, body, ...headerTexts(request)].join(' ')
}

/** Headers about the request itself, not about the connection. */
const transport = new Set([
  'host',
  'connection',
  'user-agent',
  'accept',
  'accept-encoding',
  'content-length',
  'content-type',
])

function headerTexts({ headers }: MirrorRequest): string[] {
  return Object.entries(headers).flatMap(([name, value]) => (transport.has(name) ? [] : [value ?? ''].flat()))
}

/** A value the request carries, and the name it goes by; parts of the path have none. */
export type Carried = readonly [name: string, value: string]

/** Every value the request carries, decoded. */
export function carriedIn(request: MirrorRequest): Carried[] {
  const path = request.url.pathname.split('/').map((part): Carried => ['', percentDecode(part)])
  const headers = Object.entries(request.headers).map(([name, value]): Carried => [name, String(value)])
  return [...path, ...request.url.searchParams, ...headers, ...bodyValues(request)]
}

function bodyValues({ body }: MirrorRequest): Carried[] {
  if (body === '') return []
  try {
    return leavesOf('', JSON.parse(body))
  } catch {
    return [...new URLSearchParams(body)]
  }
}

/** Members of a list go by the name of the list. */
function leavesOf(name: string, value: unknown): Carried[] {
  if (typeof value !== 'object' || value === null) return [[name, String(value)]]
  if (Array.isArray(value)) return value.flatMap((item) => leavesOf(name, item))
  return Object.entries(value).flatMap(([key, member]) => leavesOf(key, member))
}

/** The whole request as one string, to search in. */
export function requestText(request: MirrorRequest): string {
  return [request.method, queryDecode(request.url.href), ...headerTexts(request), decodedJson(request.body)].join('\n')
}

function decodedJson(body: string): string {
  try {
    return `${body}\n${leavesOf('', JSON.parse(body))
      .map(([, value]) => value)
      .join('\n')}`
  } catch {
    return queryDecode(body)
  }
}
