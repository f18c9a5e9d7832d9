/** {base_url}: what a request asks for → the response made for it at start. */
import { type SiteResponse, emptyResponse, isCurrent } from './response.ts'
import type { SiteFacts } from './facts.ts'
import type { SiteFiles } from './docs/read-docs.ts'
import type { Listener } from './listen.ts'
import { checkOrigin } from './origin.ts'
import { chooseCoding } from './codings.ts'
import { notFoundFaces, wrongMethodFaces } from './problem-pages.ts'
import { makeResources, siteMethods } from './resources.ts'

export type SiteRequest = {
  readonly method: string
  /** As in the request line: `/?from=here`. */
  readonly target: string
  readonly accept?: string | undefined
  readonly acceptEncoding?: string | undefined
  readonly ifNoneMatch?: string | undefined
}

export type Site = (asked: SiteRequest) => SiteResponse

/**
 * A function over answers that are ready, or made when they are first requested. Throws when an address of the facts is not a
 * plain origin.
 *
 *     const facts = { baseUrl: 'https://turnleaf.example', apiUrl: 'https://api.turnleaf.example', version: '1.0.0' }
 *     const site = createSite(facts, readSiteFiles('node_modules/turnleaf'))
 *     site({ method: 'GET', target: '/robots.txt' }).status  // 200
 */
export function createSite(given: SiteFacts, files: SiteFiles, now: Date = new Date()): Site {
  const facts: SiteFacts = {
    baseUrl: checkOrigin(given.baseUrl, 'base URL'),
    apiUrl: checkOrigin(given.apiUrl, 'API URL'),
    version: given.version,
  }
  const resources = makeResources(facts, files, now)
  const notFound = notFoundFaces(facts.baseUrl)
  const wrongMethod = wrongMethodFaces(facts.baseUrl, siteMethods)
  const server = emptyResponse(204, { Allow: siteMethods })

  return ({ method, target, accept, acceptEncoding, ifNoneMatch }) => {
    if (target === '*' && method === 'OPTIONS') return server
    const resource = resources.get(pathOf(target))
    if (resource === undefined) return notFound(accept)(null).whole
    if (method === 'OPTIONS') return resource.preflight
    if (method !== 'GET' && method !== 'HEAD') return wrongMethod(accept)(null).whole
    const { whole, kept } = resource.choose(accept)(chooseCoding(acceptEncoding))
    const isKept = kept !== null && ifNoneMatch !== undefined && isCurrent(kept.etag, ifNoneMatch)
    return isKept ? kept.unchanged : whole
  }
}

/** RFC 9112 §3.2.2: a server takes the form that proxies send, too; which host it names makes no difference here. */
function pathOf(target: string): string {
  const rest = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*/i, '')
  const query = rest.indexOf('?')
  const path = query === -1 ? rest : rest.slice(0, query)
  return path === '' ? '/' : path
}

/** A body that comes with the request is not looked at; Node drains it within the time limit of the request. */
export function siteListener(site: Site): Listener {
  return ({ method = 'GET', url = '/', headers }, response) => {
    const {
      status,
      headers: fields,
      body,
    } = site({
      method,
      target: url,
      accept: headers.accept,
      acceptEncoding: headers['accept-encoding']?.toString(),
      ifNoneMatch: headers['if-none-match'],
    })
    response.writeHead(status, fields).end(method === 'HEAD' ? undefined : body)
  }
}
