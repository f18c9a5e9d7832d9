/** Facts → the MCP server card (SEP-2127, an extension of MCP) and the AI catalog that names it. */
import type { SiteFacts } from '../facts.ts'

/** Of the API: the MCP server, and its card at the place that the extension reserves. */
export const mcpPath = '/mcp'
export const serverCardPath = '/mcp/server-card'

/** Of the site: the catalog that clients start from, and the card where an earlier draft had it and scanners request it. */
export const aiCatalogPath = '/.well-known/ai-catalog.json'
export const wellKnownCardPath = '/.well-known/mcp/server-card.json'

export const serverCardType = 'application/mcp-server-card+json'
export const aiCatalogType = 'application/ai-catalog+json'

/** The extension asks for these, so that pages of other sites can read the card. */
export const serverCardHeaders = {
  'Content-Type': serverCardType,
  'Cache-Control': 'public, max-age=300',
  'Access-Control-Allow-Origin': '*',
}

const title = 'Turnleaf'

/** The tools are not listed: a client asks the server for them. */
export function serverCard({ baseUrl, apiUrl, version }: SiteFacts): string {
  return json({
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
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
  const entry = {
    identifier,
    displayName: title,
    type: serverCardType,
    url: `${apiUrl}${serverCardPath}`,
    representativeQueries,
  }
  return json({ specVersion: '1.0', entries: [entry] })
}

/** Registries of Agentic Resource Discovery find an entry by them: two to five. */
const representativeQueries = [
  'Make a connector for this HTTP API and show that it reads every record',
  'Why does this API connector miss records or return them twice?',
  'Copy all pages of a REST API into DuckDB or Postgres tables',
]

/** The name of the host without its port; an IPv6 address without its brackets and colons. */
function domainOf(url: string): string {
  return new URL(url).hostname.replaceAll(/[[\]]/g, '').replaceAll(':', '-')
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
