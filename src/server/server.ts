/** {api_url}: (Request) → Response. Guards first, then the routes, then the web app. */
import { getRequestListener } from '@hono/node-server'
import { Hono, type MiddlewareHandler } from 'hono'
import { ConnectorError } from '../std/errors.ts'
import type { SiteFacts } from '../site/facts.ts'
import type { Listener } from '../site/listen.ts'
import { mcpPath, serverCard, serverCardHeaders, serverCardPath } from '../site/documents/server-card.ts'
import { inlineSources, securityFields } from '../site/headers.ts'
import { negotiateProblem } from '../site/negotiate.ts'
import { problemPage } from '../site/problem-pages.ts'
import { problemType } from '../site/problem.ts'
import { checkOrigin } from '../site/origin.ts'
import { problemResponse } from './responses.ts'
import { isolationHeaders, notEmbedded, ownPagesOnly, tokenOnly } from './guards.ts'
import { leadToDocs, pagePaths, servePages } from './serve-pages.ts'
import type { HttpMethod, Route } from './route.ts'
import { apiRoutes } from './routes.ts'
import type { RespondMcp, Services } from './services.ts'
import { openWorkspace } from './workspace.ts'
import type { ApiProblem } from './wire/problem.ts'

/** The app; tests call `app.request('/health')`. Throws when an address of the facts is not a plain origin. */
export function createApi(facts: SiteFacts, services: Services): Hono {
  checkOrigin(facts.apiUrl, 'API URL')
  checkOrigin(facts.baseUrl, 'base URL')
  // Clients of the manifest server write `/health/`.
  const app = new Hono({ strict: false })
  app.use(isolationHeaders, browserProblems(facts.baseUrl))
  const workspace = openWorkspace(services)
  const routes = apiRoutes(facts, services, workspace)
  const guards = [ownPagesOnly(facts.apiUrl), ...(services.token === null ? [] : [tokenOnly(services.token)])]
  for (const path of new Set(routes.map((route) => route.path))) {
    const here = routes.filter((route) => route.path === path)
    mount(app, path, here, here.every(({ isOpen }) => isOpen === true) ? [] : guards)
  }
  if (services.openMcp !== undefined) mountMcp(app, services.openMcp(workspace), facts, guards)
  for (const path of [...pagePaths, '/assets/*']) app.use(path, notEmbedded)
  servePages(app, services.pages)
  leadToDocs(app, facts.baseUrl)
  for (const path of pagePaths) refuseOthers(app, path, allowed(['get']))
  const nothing = new ConnectorError('server/not-found', 'There is nothing at this address.', {
    hint: 'The operations are in /openapi.json.',
  })
  app.notFound(() => problemResponse(nothing))
  app.onError((error) => problemResponse(error))
  return app
}

/** A problem → a small page, where a browser asks: a person may open an address of the API. Programs get the problem itself. */
function browserProblems(baseUrl: string): MiddlewareHandler {
  return async (context, next) => {
    await next()
    const { res, req } = context
    if (res.headers.get('content-type') !== problemType) return
    res.headers.append('Vary', 'Accept')
    if (negotiateProblem(req.header('accept')) !== 'html') return
    const page = problemPage((await res.json()) as ApiProblem, baseUrl)
    const headers = new Headers(res.headers)
    headers.set('Content-Type', 'text/html; charset=utf-8')
    for (const [name, value] of Object.entries(securityFields(inlineSources(page), baseUrl))) headers.set(name, value)
    // Otherwise Hono adds the headers of the response that is replaced.
    context.res = undefined
    context.res = new Response(page, { status: res.status, headers })
  }
}

function mount(app: Hono, path: string, routes: readonly Route[], guards: readonly MiddlewareHandler[]): void {
  const at = path.replaceAll(/\{(\w+)\}/g, ':$1')
  for (const guard of guards) app.use(at, guard)
  for (const { method, respond } of routes) {
    app.on(method.toUpperCase(), at, (context) => respond(context.req.raw, context.req.param()))
  }
  refuseOthers(app, at, allowed(routes.map(({ method }) => method)))
}

/** Not among the routes: the protocol describes itself. */
function mountMcp(app: Hono, respond: RespondMcp, facts: SiteFacts, guards: readonly MiddlewareHandler[]): void {
  for (const guard of guards) app.use(mcpPath, guard)
  app.on(['GET', 'POST', 'DELETE'], mcpPath, (context) => respond(context.req.raw))
  refuseOthers(app, mcpPath, 'GET, POST, DELETE, OPTIONS')
  // Public, as the catalog that names it.
  const card = serverCard(facts)
  app.get(serverCardPath, () => new Response(card, { headers: serverCardHeaders }))
  refuseOthers(app, serverCardPath, allowed(['get']))
}

function refuseOthers(app: Hono, at: string, allow: string): void {
  app.options(at, () => new Response(null, { status: 204, headers: { Allow: allow } }))
  app.all(at, () => {
    const error = new ConnectorError('server/method', `This address accepts ${allow}.`)
    return problemResponse(error, { Allow: allow })
  })
}

function allowed(methods: readonly HttpMethod[]): string {
  const named = methods.flatMap((method) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]))
  return [...named, 'OPTIONS'].join(', ')
}

export function apiListener(facts: SiteFacts, services: Services): Listener {
  return getRequestListener(createApi(facts, services).fetch, {
    // Keep Node's Request and Response for the rest of the process.
    overrideGlobalObjects: false,
    errorHandler: () =>
      problemResponse(new ConnectorError('server/invalid-request', 'The Host header or the address cannot be read.')),
  })
}
