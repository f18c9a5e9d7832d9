/** Facts → everything that is served: one entry per path, each response made once, at start. */
import { skillPath, skillsIndex, skillsPath, skillText } from './documents/agent-skills.ts'
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
import { favicon } from './frame/brand.ts'
import { docResources } from './docs/doc-resources.ts'
import { docSet, type DocSet } from './docs/doc-set.ts'
import type { SiteFiles } from './docs/read-docs.ts'
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
import { linkHeader, markdownFields } from './headers.ts'
import { pageChoice, varyByAccept } from './page.ts'

export type Resource = {
  readonly choose: (accept: string | undefined) => Representation
  readonly preflight: SiteResponse
}

const plainText = 'text/plain; charset=utf-8'

export function makeResources(facts: SiteFacts, files: SiteFiles, now: Date): ReadonlyMap<string, Resource> {
  const docs = docSet(files.docs)
  const { home, markdown } = homeResources(facts, docs)
  const probe = resource(probeRepresentation(facts))
  return new Map([
    ['/', home],
    ['/index.md', resource(markdown)],
    [catalogPath, resource(catalogRepresentation(facts))],
    [openApiPath, resource(represent('application/json', json(describeSite(facts))))],
    [skillsPath, resource(represent('application/json', json(skillsIndex(facts))))],
    [skillPath, resource(skillRepresentation(facts))],
    [probePath, probe],
    // A scanner that grades sites expects a 402 here, and not at the path above.
    ['/api', probe],
    ['/robots.txt', resource(represent(plainText, robots(facts)))],
    [
      '/sitemap.xml',
      resource(represent('application/xml; charset=utf-8', sitemap(facts, docs, files.homepageChangedOn))),
    ],
    ['/llms.txt', resource(represent(plainText, llms(facts, docs)))],
    [aiCatalogPath, resource(represent(aiCatalogType, aiCatalog(facts)))],
    [wellKnownCardPath, resource(represent(serverCardType, serverCard(facts)))],
    ['/.well-known/security.txt', resource(represent(plainText, securityText(facts, now)))],
    ['/favicon.svg', resource(represent('image/svg+xml', favicon))],
    ['/favicon.ico', resource(represent('image/x-icon', faviconIco))],
    ...chartResources(),
    ...[...files.pictures].map(([name, bytes]): [string, Resource] => [
      `/pictures/${name}`,
      resource(represent('image/webp', bytes)),
    ]),
    ...servedDocs(docs, files, facts),
  ])
}

function servedDocs(docs: DocSet, files: SiteFiles, facts: SiteFacts): [path: string, resource: Resource][] {
  const made = docResources(docs, files, facts, siteLinks(facts))
  return [
    ...made.pages.flatMap(({ url, markdownUrl, choice }): [string, Resource][] => [
      [url, withMethods(choice.negotiated, varyByAccept)],
      [markdownUrl, resource(choice.markdown)],
    ]),
    ...made.files.map(([path, representation]): [string, Resource] => [path, resource(representation)]),
    // As people type it.
    ...made.pages.map(({ url }): [string, Resource] => [
      `${url}/`,
      resource(uncached(answer(308, { Location: facts.baseUrl + url }, ''))),
    ]),
  ]
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

/** One page with several faces, and the markdown face once more under a name of its own. */
function homeResources(facts: SiteFacts, { sections }: DocSet): { home: Resource; markdown: Representation } {
  const { negotiated, markdown } = pageChoice(
    {
      path: '/',
      markdownPath: '/index.md',
      html: () => homepage(facts, sections).html,
      markdown: () => homepage(facts, sections).markdown,
      links: siteLinks(facts),
      isInline: true,
    },
    facts.baseUrl,
  )
  return { home: withMethods(negotiated, varyByAccept), markdown }
}

/** In the Link header of every page. */
function siteLinks({ baseUrl }: SiteFacts) {
  return [
    { href: `${baseUrl}${catalogPath}`, rel: 'api-catalog', type: 'application/linkset+json' },
    { href: `${baseUrl}${openApiPath}`, rel: 'service-desc', type: 'application/json' },
    { href: `${baseUrl}/docs`, rel: 'service-doc', type: 'text/html' },
    { href: `${baseUrl}/llms.txt`, rel: 'service-doc', type: 'text/plain' },
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

function skillRepresentation(facts: SiteFacts): Representation {
  const text = skillText(facts)
  return represent('text/markdown; charset=utf-8', text, markdownFields(text))
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

/** Of every resource. */
export const siteMethods = 'GET, HEAD, OPTIONS'

const preflightFields: SiteHeaders = {
  Allow: siteMethods,
  'Access-Control-Allow-Methods': siteMethods,
  // The last one looks like a mistake, and is: @x402/fetch sends it as a request header.
  'Access-Control-Allow-Headers':
    'Accept, Authorization, Content-Type, If-None-Match, PAYMENT-SIGNATURE, X-PAYMENT, Access-Control-Expose-Headers',
  'Access-Control-Max-Age': '86400',
}

function withMethods(choose: Resource['choose'], fields: SiteHeaders = {}): Resource {
  return {
    choose,
    preflight: emptyResponse(204, { ...preflightFields, ...fields }),
  }
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
