/** {api_url}: (Request) → Response; every route in one list. */
import { getRequestListener } from '@hono/node-server'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { catalogPath } from '../site/documents/api-catalog.ts'
import { securityFields } from '../site/content-security.ts'
import type { SiteFacts } from '../site/facts.ts'
import { type ListenOptions, type Listener, type Listening, listen } from '../site/listen.ts'
import { checkOrigin } from '../site/origin.ts'
import { type ProblemStatus, problemText, problemType } from '../site/problem.ts'
import { openApi } from './openapi.ts'
import { serviceDocument } from './service-document.ts'

type Answer = (context: Context) => Response

/** The app that answers; its tests call `app.request('/health')`. */
export function createApi(facts: SiteFacts): Hono {
  const description = openApi(facts)
  const page = serviceDocument(facts)
  const pageFields = securityFields(page, facts.apiUrl)
  const routes: Record<string, Answer> = {
    '/': (context) => context.html(page, 200, pageFields),
    '/health': (context) => context.json({ status: 'ok' }),
    '/openapi.json': (context) => context.json(description),
    // RFC 9727 §5.1: one catalog is canonical, and the others lead to it.
    [catalogPath]: (context) => context.redirect(`${facts.baseUrl}${catalogPath}`, 308),
  }

  const app = new Hono()
  for (const guard of guards) app.use(guard)
  for (const [path, answer] of Object.entries(routes)) {
    app.get(path, answer)
    app.options(path, (context) => context.body(null, 204, { Allow: allowed }))
    app.all(path, () => problem(405, `This resource answers to ${allowed}.`, { Allow: allowed }))
  }
  app.notFound(() => problem(404, 'There is nothing at this address. /openapi.json lists what there is.'))
  app.onError(() => problem(500, 'The server failed. Nothing was changed.'))
  return app
}

const allowed = 'GET, HEAD, OPTIONS'

const neverSniffed: MiddlewareHandler = async (context, next) => {
  await next()
  context.res.headers.set('X-Content-Type-Options', 'nosniff')
}

/** What stands before every route, outermost first. Checks of Host, Origin and token belong here. */
const guards: readonly MiddlewareHandler[] = [neverSniffed]

function problem(status: ProblemStatus, detail: string, fields: Record<string, string> = {}): Response {
  const headers = { 'Content-Type': problemType, 'Cache-Control': 'no-store', ...fields }
  return new Response(problemText(status, detail), { status, headers })
}

export type ApiOptions = ListenOptions & {
  /** Where the API is reached from outside; where it listens, unless given. */
  readonly apiUrl?: string
  readonly baseUrl: string
  readonly version: string
}

/** Starts the API. `await using api = await startApi(…)` ends it with the scope. */
export async function startApi({ apiUrl, baseUrl, version, ...where }: ApiOptions): Promise<Listening> {
  if (apiUrl !== undefined) checkOrigin(apiUrl, 'API URL')
  checkOrigin(baseUrl, 'base URL')
  const listening = await listen(where)
  listening.serve(apiListener({ baseUrl, apiUrl: apiUrl ?? listening.url, version }))
  return listening
}

export function apiListener(facts: SiteFacts): Listener {
  return getRequestListener(createApi(facts).fetch, {
    // The rest of the process keeps Node's own Request and Response.
    overrideGlobalObjects: false,
    errorHandler: () => problem(400, 'The Host header or the address cannot be read.'),
  })
}
