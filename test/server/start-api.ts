/** The API on a free port, as `turnleaf serve` starts it, without a site next to it. */
import { apiListener } from '../../src/server/server.ts'
import type { Services } from '../../src/server/services.ts'
import { type ListenOptions, type Listening, listen } from '../../src/site/listen.ts'

type ApiOptions = ListenOptions & {
  /** The public address of the API (default: where it listens). */
  readonly apiUrl?: string
  readonly baseUrl: string
  readonly version: string
  readonly services: Services
}

/** `await using api = await startApi(…)` stops it with the scope. */
export async function startApi({ apiUrl, baseUrl, version, services, ...where }: ApiOptions): Promise<Listening> {
  const listening = await listen(where)
  listening.serve(apiListener({ baseUrl, apiUrl: apiUrl ?? listening.url, version }, services))
  return listening
}
