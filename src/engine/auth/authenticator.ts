/** The base class of a connector's own way to authenticate. */
import { CustomComponent } from '../custom/component.ts'
import type { HttpRequest } from '../request/http-request.ts'

/** What a request needs besides what its author wrote. Sent to the request's own origin only, and never shown. */
export type Authentication = {
  readonly headers?: Readonly<Record<string, string>>
  readonly parameters?: Readonly<Record<string, string>>
}

/** A request of the class's own, for a token: a form or a JSON body, or none. */
export type AuthRequest = {
  readonly url: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly form?: Readonly<Record<string, string>>
  readonly json?: unknown
}

export type AuthTools = {
  /** Asks within the network policy, the time limits and the patience of the run. What was sent stays at that origin. */
  readonly fetchJson: (request: AuthRequest) => Promise<unknown>
  /** Fetched once for all requests that wait for it, kept for its lifetime (an hour where none is told), never shown. */
  readonly token: (name: string, fetch: () => Promise<FetchedToken>) => Promise<string>
  /** Never shows this text, in any form. */
  readonly hide: (secret: string) => void
  /** The value of a template over the config, for fields of the manifest: `"{{ config['key'] }}"`. */
  readonly evaluate: (template: unknown) => unknown
  /** Milliseconds since 1970. */
  readonly now: () => number
}

export type FetchedToken = { readonly value: string; readonly lifetimeMs?: number | undefined }

/**
 * Extend this in `source_<name>/<package>.ts` beside the manifest. All streams of a run share one object.
 *
 * ```ts
 * export class ShopAuthenticator extends Authenticator {
 *   override async authenticate(_: HttpRequest, tools: AuthTools) {
 *     const token = await tools.token('access', async () => {
 *       const form = { client: String(tools.evaluate(this.parameters['client_id'])) }
 *       const answer = (await tools.fetchJson({ url: 'https://login.shop.example/token', form })) as { token: string }
 *       return { value: answer.token, lifetimeMs: 600_000 }
 *     })
 *     return { headers: { 'X-Shop-Token': token } }
 *   }
 * }
 * ```
 */
export abstract class Authenticator extends CustomComponent {
  /** What this request needs. It is whole, save for what this adds: a signature may be made over it. */
  abstract authenticate(request: HttpRequest, tools: AuthTools): Authentication | Promise<Authentication>
}
