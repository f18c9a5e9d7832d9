/** Facts → the MCP server card and the catalog that names it: the draft of SEP-2127 in its form of autumn 2026. */
import type { SiteFacts } from '../facts.ts'

/** Of the API: the MCP server, and its card at the place that the draft reserves. */
export const mcpPath = '/mcp'
export const serverCardPath = '/mcp/server-card'

/** Of the site: the catalog that clients start from, and the card where an earlier draft had it and scanners request it. */
export const aiCatalogPath = '/.well-known/ai-catalog.json'
export const wellKnownCardPath = '/.well-known/mcp/server-card.json'

export const serverCardType = 'application/mcp-server-card+json'
export const aiCatalogType = 'application/ai-catalog+json'

/** The draft asks for these, so that pages of other sites can read the card. */
export const serverCardHeaders = {
  'Content-Type': serverCardType,
  'Cache-Control': 'public, max-age=300',
  'Access-Control-Allow-Origin': '*',
}

const title = 'Turnleaf'

/** The tools are not listed: a client asks the server for them. */
export function serverCard({ baseUrl, apiUrl, version }: SiteFacts): string {
  return json({
    $schema: 'https://static.modelcontextprotocol.io/schemas/v2/server-card.schema.json',
    name: `${domainOf(baseUrl).split('.').toReversed().join('.')}/turnleaf`,
    version,
    title,
    description: 'Build, test, diagnose and sync connectors for HTTP APIs; shows that no record is missing.',
    websiteUrl: `${baseUrl}/`,
    remotes: [{ type: 'streamable-http', url: `${apiUrl}${mcpPath}` }],
  })
}

export function aiCatalog({ baseUrl, apiUrl }: SiteFacts): string {
  const identifier = `urn:air:${domainOf(baseUrl)}:turnleaf`
  const entry = { identifier, displayName: title, type: serverCardType, url: `${apiUrl}${serverCardPath}` }
  return json({ specVersion: 'draft', entries: [entry] })
}

/** The name of the host without its port; an IPv6 address without its brackets and colons. */
function domainOf(url: string): string {
  return new URL(url).hostname.replaceAll(/[[\]]/g, '').replaceAll(':', '-')
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
