/** What can go wrong between an API and a sync, as a server does it, and what becomes of the sync. */
import type { ServerResponse } from 'node:http'
import type { Answer, Handler } from '../helpers/serve-api.ts'

export type Fault = {
  readonly name: string
  /** What happens then, for docs/reliability-tests.md. */
  readonly happens: string
  /** The error of the streams that it hits; null where they come through. */
  readonly failsWith: string | null
  /** An honest server → one that fails now and then. */
  readonly server: (honest: Handler) => Handler
  /** What the API asks for before the next try. */
  readonly waitMs?: number
  /** The streams that it hits; all when absent. */
  readonly paths?: readonly string[]
}

const again = 'The page is requested again, and arrives.'
const fails = 'The stream fails and keeps what it has; the next sync resumes.'

/** How often a page is requested before it is given up. */
const everyTry = 6

export const faults: readonly Fault[] = [
  {
    name: 'the connection is reset before a response',
    happens: again,
    failsWith: null,
    server: onSomePages(1, () => raw((response) => response.socket?.resetAndDestroy())),
  },
  {
    name: 'the connection is reset within a body',
    happens: again,
    failsWith: null,
    server: onSomePages(2, (honest) =>
      half(honest, (response) => setImmediate(() => response.socket?.resetAndDestroy())),
    ),
  },
  {
    name: 'a body is shorter than its Content-Length',
    happens: again,
    failsWith: null,
    server: onSomePages(1, (honest) =>
      half(honest, (response) => response.socket?.end(), { 'content-length': bytesOf(honest).length }),
    ),
  },
  {
    name: 'a chunked body ends without its last chunk',
    happens: again,
    failsWith: null,
    server: onSomePages(1, (honest) => half(honest, (response) => response.socket?.end())),
  },
  {
    name: 'a body is cut, and its Content-Length says so',
    happens: fails,
    failsWith: 'response/not-decodable',
    server: onSomePages(1, (honest) => ({ ...honest, text: halfOf(honest).toString('latin1') })),
  },
  {
    name: 'no response until the time limit',
    happens: again,
    failsWith: null,
    paths: ['/offset', '/orders'],
    server: onSomePages(1, () => raw(() => {})),
  },
  {
    name: 'a body stalls until the time limit',
    happens: again,
    failsWith: null,
    paths: ['/cursor', '/regions'],
    server: onSomePages(1, (honest) => half(honest, () => {})),
  },
  {
    name: 'bytes come one by one',
    happens: 'The page arrives.',
    failsWith: null,
    server: onSomePages(1, (honest) => raw((response) => dribble(response, honest))),
  },
  {
    name: '500 four times over',
    happens: again,
    failsWith: null,
    server: onSomePages(4, () => ({ status: 500, text: 'oops' })),
  },
  {
    name: '503 for longer than it is tried',
    happens: fails,
    failsWith: 'response/gave-up',
    server: onSomePages(everyTry, () => ({ status: 503, text: 'down for maintenance' })),
  },
  {
    name: '429 with Retry-After',
    happens: 'The page is requested again after the time that the API names, and arrives.',
    failsWith: null,
    waitMs: 30_000,
    server: onSomePages(2, () => ({ status: 429, headers: { 'retry-after': '30' }, text: 'slow down' })),
  },
  {
    name: 'HTML with 200',
    happens: fails,
    failsWith: 'response/not-decodable',
    server: onSomePages(1, () => ({
      headers: { 'content-type': 'text/html' },
      text: '<!doctype html><title>Log in</title>',
    })),
  },
  {
    name: '403 in the middle of a read',
    happens: fails,
    failsWith: 'response/rejected',
    server: onSomePages(1, () => ({ status: 403, json: { error: 'forbidden' } })),
  },
  {
    name: 'a cursor that has expired when the sync resumes',
    happens: 'The rows of the slice are deleted, and it is read from its first page.',
    failsWith: 'response/gave-up',
    paths: ['/cursor'],
    server: expiringCursors,
  },
]

/** The second and the fourth page of a stream are hit, so many times each. */
function onSomePages(times: number, answer: (honest: Answer) => Answer): Fault['server'] {
  return (honest) => {
    const tries = new Map<string, number>()
    return async (query, request) => {
      const page = query.toString()
      const tried = (tries.get(page) ?? 0) + 1
      tries.set(page, tried)
      const place = [...tries.keys()].indexOf(page) + 1
      const answered = await honest(query, request)
      return (place === 2 || place === 4) && tried <= times ? answer(answered) : answered
    }
  }
}

/** Fails until it is given up; then no cursor counts that was handed out before. */
function expiringCursors(honest: Handler): Handler {
  let failures = 0
  let isExpired = false
  return (query, request) => {
    const cursor = query.get('cursor')
    isExpired &&= cursor !== null
    if (isExpired) return { status: 410, json: { error: 'this cursor has expired' } }
    if (cursor !== '15' || failures === everyTry) return honest(query, request)
    failures++
    isExpired = failures === everyTry
    return { status: 502, text: 'bad gateway' }
  }
}

function raw(take: (response: ServerResponse) => void): Answer {
  return { raw: take }
}

function bytesOf({ text = '' }: Answer): Buffer {
  return Buffer.from(text)
}

function halfOf(honest: Answer): Buffer {
  const bytes = bytesOf(honest)
  return bytes.subarray(0, bytes.length >> 1)
}

/** Half a body, then whatever comes next once that is on its way. */
function half(honest: Answer, next: (response: ServerResponse) => void, headers: Record<string, number> = {}): Answer {
  return raw((response) => {
    response.writeHead(200, { ...honest.headers, ...headers })
    response.write(halfOf(honest), () => next(response))
  })
}

function dribble(response: ServerResponse, honest: Answer): void {
  response.writeHead(200, honest.headers)
  const bytes = bytesOf(honest)
  const send = (index: number) => {
    if (index === bytes.length) response.end()
    else response.write(bytes.subarray(index, index + 1), () => setImmediate(send, index + 1))
  }
  send(0)
}
