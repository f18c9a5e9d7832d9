/** A first page that a parent's record already holds, as if it had been asked for. */
import { stringifyJson } from '../../std/json.ts'
import type { HttpRequest } from '../request/http-request.ts'
import type { HttpResponse } from '../response/http-response.ts'

/** Airbyte: `lazy_read_pointer`. The request is the one that was saved. */
export function heldAnswer(request: HttpRequest, held: unknown): HttpResponse {
  const body = new TextEncoder().encode(stringifyJson(held))
  return { status: 200, url: request.url, headers: {}, body }
}
