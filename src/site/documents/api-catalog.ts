/** Facts → the API catalog: RFC 9727, written as a linkset (RFC 9264). */
import type { SiteFacts } from '../facts.ts'
import { skillsPath } from './agent-skills.ts'
import { serverCardType, wellKnownCardPath } from './server-card.ts'

export const catalogPath = '/.well-known/api-catalog'

export const catalogType = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'

/** Only links that resolve, each with the type its target is really served as. A test follows them all. */
export function apiCatalog({ baseUrl, apiUrl }: SiteFacts): string {
  const linkset = [
    { anchor: `${baseUrl}${catalogPath}`, item: [{ href: `${apiUrl}/` }, { href: `${baseUrl}/` }] },
    {
      anchor: `${apiUrl}/`,
      'service-desc': [{ href: `${apiUrl}/openapi.json`, type: 'application/json' }],
      'service-doc': [
        { href: `${baseUrl}/docs/api`, type: 'text/html' },
        { href: `${baseUrl}/docs/api.md`, type: 'text/markdown' },
      ],
      status: [{ href: `${apiUrl}/health`, type: 'application/json' }],
    },
    {
      anchor: `${baseUrl}/`,
      'service-desc': [{ href: `${baseUrl}/openapi.json`, type: 'application/json' }],
      'service-doc': [
        { href: `${baseUrl}/docs`, type: 'text/html' },
        { href: `${baseUrl}/docs/index.md`, type: 'text/markdown' },
        { href: `${baseUrl}/llms.txt`, type: 'text/plain' },
      ],
      'service-meta': [
        { href: `${baseUrl}${skillsPath}`, type: 'application/json' },
        { href: `${baseUrl}${wellKnownCardPath}`, type: serverCardType },
      ],
    },
  ]
  // RFC 9264 §4.2.1: `linkset` is the only member there may be.
  return `${JSON.stringify({ linkset }, null, 2)}\n`
}
