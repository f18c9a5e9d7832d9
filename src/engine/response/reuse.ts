/** Send → Send that requests once what several streams need: the pages of parent streams. */
import { hasCode } from '../../std/errors.ts'
import { stringifyJson } from '../../std/json.ts'
import type { HttpRequest } from '../request/http-request.ts'
import { aborted } from './failure.ts'
import type { HttpResponse, Send } from './http-response.ts'

/** Responses of one run, by request; the oldest are dropped when the bound is passed, and then requested again. */
export type ReuseStore = {
  readonly get: (key: string) => Promise<HttpResponse> | undefined
  readonly put: (key: string, response: Promise<HttpResponse>) => void
}

const defaultBound = 64 * 1024 * 1024

export function createReuseStore(maxBytes = defaultBound): ReuseStore {
  const kept = new Map<string, { response: Promise<HttpResponse>; bytes: number }>()
  let bytes = 0
  const drop = (key: string) => {
    bytes -= kept.get(key)?.bytes ?? 0
    kept.delete(key)
  }
  const weigh = (key: string, { body }: HttpResponse) => {
    const entry = kept.get(key)
    if (entry === undefined) return
    entry.bytes = body.byteLength + key.length
    bytes += entry.bytes
    for (const oldest of kept.keys()) {
      if (bytes <= maxBytes) break
      drop(oldest)
    }
  }
  return {
    get: (key) => kept.get(key)?.response,
    put(key, response) {
      kept.set(key, { response, bytes: 0 })
      response.then(
        // What asks for other pages is requested again, not answered from here.
        (arrived) => (arrived.asks ? drop(key) : weigh(key, arrived)),
        () => drop(key),
      )
    },
  }
}

/**
 * Airbyte: only what GET asks for is kept. The request is unsigned here, so no credential becomes part of a key;
 * `asker` separates requests that are signed differently.
 */
export function withReuse(send: Send, store: ReuseStore, asker: string): Send {
  return (request, signal) => {
    // A body that is read as it arrives can be read once.
    if (request.method !== 'GET' || request.streams) return send(request, signal)
    const key = keyOf(asker, request)
    const known = store.get(key)
    if (known === undefined) {
      const response = send(request, signal)
      store.put(key, response)
      return response
    }
    return known.then(
      (response) => (isAskedInVain(response, request) ? send(request, signal) : response),
      // The first caller may have been cancelled: this one was not.
      (error: unknown) => {
        if (signal.aborted) throw aborted(signal)
        if (!hasCode(error, 'response/aborted')) throw error
        return send(request, signal)
      },
    )
  }
}

function isAskedInVain({ asks }: HttpResponse, { mayAsk = [] }: HttpRequest): boolean {
  return asks !== undefined && !mayAsk.includes(asks.action)
}

function keyOf(asker: string, { url, headers, body, home }: HttpRequest): string {
  return stringifyJson([asker, url, headers, body, home ?? null])
}
