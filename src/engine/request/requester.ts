/** The base class of custom requesters. */
import { CustomComponent } from '../custom/component.ts'
import type { Slice } from '../slices/slice.ts'
import type { HttpRequest } from './http-request.ts'

/** Which page is requested. */
export type RequestContext = {
  readonly slice: Slice
  /** What asks for this page; null on the first, and where the engine wants to know whose address it is. */
  readonly token: unknown
}

type Values = Readonly<Record<string, unknown>>

/**
 * Extend this in `source_<name>/<package>.ts` next to the manifest. Every method is given what the manifest says, with
 * the fields of an HttpRequester, and returns what is to be sent; those left out change nothing. Credentials, paging and
 * the values of the slice are put in afterwards.
 *
 * ```ts
 * export class WithFields extends Requester {
 *   override query(_context: RequestContext, query: Record<string, unknown>) {
 *     return { ...query, opt_fields: 'name,notes' }
 *   }
 * }
 * ```
 */
export abstract class Requester extends CustomComponent {
  /** `url_base`; an empty text where the manifest has none. The credentials belong to its origin. */
  base(_context: RequestContext, base: string): string {
    return base
  }
  path(_context: RequestContext, path: string): string {
    return path
  }
  query(_context: RequestContext, query: Values): Values {
    return query
  }
  headers(_context: RequestContext, headers: Values): Values {
    return headers
  }
  /** An object is sent as JSON, or as a form where the manifest has one; a string as it is; null is no body. */
  body(_context: RequestContext, body: Values | string | null): Values | string | null {
    return body
  }
  /** The finished request, but for the credentials. They are sent only if its address stays at home. */
  request(_context: RequestContext, request: HttpRequest): HttpRequest | Promise<HttpRequest> {
    return request
  }
}
