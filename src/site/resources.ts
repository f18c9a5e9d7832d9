/** Facts → everything that is served: one entry per path, each response made once, at start. */
import { createHash } from 'node:crypto'
import { apiCatalog, catalogPath, catalogType } from './documents/api-catalog.ts'
import { faviconIco } from './documents/favicon-ico.ts'
import { llms } from './documents/llms.ts'
import {
  aiCatalog,
  aiCatalogPath,
  aiCatalogType,
  serverCard,
  serverCardType,
  wellKnownCardPath,
} from './documents/server-card.ts'
import { describeSite, openApiPath } from './documents/openapi.ts'
import { paymentRequired, probePath } from './documents/payment-required.ts'
import { robots, securityText, sitemap } from './documents/robots.ts'
import { homepage } from './homepage/homepage.ts'
import { favicon } from './homepage/html.ts'
import { peerFigures } from './homepage/peer-figures.ts'
import { chartFile, drawChart } from './homepage/peer-picture.ts'
import {
  type SiteResponse,
  answer,
  emptyResponse,
  type SiteHeaders,
  represent,
  type Representation,
  uncached,
} from './response.ts'
import type { SiteFacts } from './facts.ts'
import { type Face, negotiate } from './negotiate.ts'
import { siteProblem } from './problem.ts'

export type Resource = {
  readonly choose: (accept: string | undefined) => Representation
  readonly preflight: SiteResponse
  readonly wrongMethod: SiteResponse
}

const plainText = 'text/plain; charset=utf-8'
const markdownType = 'text/markdown; charset=utf-8'

export function makeResources(facts: SiteFacts, now: Date): ReadonlyMap<string, Resource> {
  const { home, markdown } = homeResources(facts)
  const probe = resource(probeRepresentation(facts))
  return new Map([
    ['/', home],
    ['/index.md', resource(markdown)],
    [catalogPath, resource(catalogRepresentation(facts))],
    [openApiPath, resource(represent('application/json', json(describeSite(facts))))],
    [probePath, probe],
    // A scanner that grades sites expects a 402 here, and not at the path above.
    ['/api', probe],
    ['/robots.txt', resource(represent(plainText, robots(facts)))],
    ['/sitemap.xml', resource(represent('application/xml; charset=utf-8', sitemap(facts)))],
    ['/llms.txt', resource(represent(plainText, llms(facts)))],
    [aiCatalogPath, resource(represent(aiCatalogType, aiCatalog(facts)))],
    [wellKnownCardPath, resource(represent(serverCardType, serverCard(facts)))],
    ['/.well-known/security.txt', resource(represent(plainText, securityText(facts, now)))],
    ['/favicon.svg', resource(represent('image/svg+xml', favicon))],
    ['/favicon.ico', resource(represent('image/x-icon', faviconIco))],
    ...chartResources(),
  ])
}

/** The charts of the homepage, for light and for dark pages. */
function chartResources(): [path: string, resource: Resource][] {
  const schemes = ['light', 'dark'] as const
  return peerFigures.charts.flatMap((chart) =>
    schemes.map((scheme): [string, Resource] => [
      `/${chartFile(chart, scheme)}`,
      resource(represent('image/svg+xml', drawChart(chart, scheme))),
    ]),
  )
}

/** One page with two faces, and the markdown face once more under a name of its own. */
function homeResources(facts: SiteFacts): { home: Resource; markdown: Representation } {
  const { html, markdown } = homepage(facts)
  const vary: SiteHeaders = { Vary: 'Accept' }
  const links = homeLinks(facts)
  const markdownLinks = linkHeader([...links, { href: `${facts.baseUrl}/`, rel: 'canonical' }])
  const faces: Record<Face, Representation> = {
    html: represent('text/html; charset=utf-8', html, {
      ...vary,
      Link: linkHeader(links),
      ...securityFields(html, facts.baseUrl),
    }),
    markdown: represent(markdownType, markdown, { ...vary, Link: markdownLinks, 'Content-Location': '/index.md' }),
  }
  const refused = uncached(
    siteProblem(406, 'This page is text/html or text/markdown, and the Accept header allows neither.', vary, {
      available: ['text/html', 'text/markdown'],
    }),
  )
  const choose = (accept: string | undefined) => {
    const face = negotiate(accept)
    return face === null ? refused : faces[face]
  }
  return { home: withMethods(choose, vary), markdown: represent(markdownType, markdown, { Link: markdownLinks }) }
}

function homeLinks({ baseUrl }: SiteFacts) {
  return [
    { href: `${baseUrl}${catalogPath}`, rel: 'api-catalog', type: 'application/linkset+json' },
    { href: `${baseUrl}${openApiPath}`, rel: 'service-desc', type: 'application/json' },
    { href: `${baseUrl}/llms.txt`, rel: 'service-doc', type: 'text/plain' },
    { href: `${baseUrl}/index.md`, rel: 'alternate', type: 'text/markdown' },
  ]
}

/** RFC 9727 §2: HEAD must name the catalog in a Link header; GET sends the same. */
function catalogRepresentation(facts: SiteFacts): Representation {
  const Link = linkHeader([
    { href: `${facts.baseUrl}${catalogPath}`, rel: 'api-catalog', type: 'application/linkset+json' },
    { href: `${facts.apiUrl}/`, rel: 'item' },
    { href: `${facts.baseUrl}/`, rel: 'item' },
  ])
  return represent(catalogType, apiCatalog(facts), { Link })
}

/** Clients read the header; some scanners read only the body. */
function probeRepresentation(facts: SiteFacts): Representation {
  const body = JSON.stringify(paymentRequired(facts))
  const fields = {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    // Standard base64: x402 clients throw at the URL-safe alphabet.
    'PAYMENT-REQUIRED': Buffer.from(body).toString('base64'),
  }
  return uncached(answer(402, fields, body))
}

function resource(representation: Representation): Resource {
  return withMethods(() => representation)
}

const allowed = 'GET, HEAD, OPTIONS'

const preflightFields: SiteHeaders = {
  Allow: allowed,
  'Access-Control-Allow-Methods': allowed,
  // The last one looks like a mistake, and is: @x402/fetch sends it as a request header.
  'Access-Control-Allow-Headers':
    'Accept, Authorization, Content-Type, If-None-Match, PAYMENT-SIGNATURE, X-PAYMENT, Access-Control-Expose-Headers',
  'Access-Control-Max-Age': '86400',
}

function withMethods(choose: Resource['choose'], fields: SiteHeaders = {}): Resource {
  return {
    choose,
    preflight: emptyResponse(204, { ...preflightFields, ...fields }),
    wrongMethod: siteProblem(405, `This resource answers to ${allowed}.`, { Allow: allowed, ...fields }),
  }
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

/** Inline styles and scripts are allowed by their hashes, taken from the very page that is sent. */
export function securityFields(html: string, baseUrl: string): SiteHeaders {
  const policy = [
    "default-src 'none'",
    `style-src ${hashesOf(html, 'style')}`,
    `script-src ${hashesOf(html, 'script')}`,
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]
  return {
    'Content-Security-Policy': policy.join('; '),
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'X-Frame-Options': 'DENY',
    // Browsers ignore it over http, and it would be a lie there.
    ...(baseUrl.startsWith('https:') && { 'Strict-Transport-Security': 'max-age=31536000' }),
  }
}

function hashesOf(html: string, element: 'style' | 'script'): string {
  const found = [...html.matchAll(new RegExp(`<${element}\\b([^>]*)>(.*?)</${element}>`, 'gis'))]
    // JSON-LD is data; no browser runs it, and none asks for its hash.
    .filter(([, attributes = '']) => !attributes.includes('application/ld+json'))
    .map(([, , text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)
  return found.length === 0 ? "'none'" : [...new Set(found)].join(' ')
}

export type WebLink = { readonly href: string; readonly rel: string; readonly type?: string }

export function linkHeader(links: readonly WebLink[]): string {
  return links
    .map(({ href, rel, type }) => `<${href}>; rel="${rel}"${type === undefined ? '' : `; type="${type}"`}`)
    .join(', ')
}
