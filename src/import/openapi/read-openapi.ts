/** The text of an OpenAPI document → the description of its API. */
import { isObject } from '../../std/values/objects.ts'
import { count } from '../../std/text/format-count.ts'
import type { ApiDescription } from '../description.ts'
import { findEndpoints } from './endpoints.ts'
import { parseOpenApi } from './parse-document.ts'
import { openReferences } from './references.ts'
import { schemaViews } from './schema-view.ts'
import { findSecurity } from './security.ts'
import { findServer } from './servers.ts'

export function readOpenApi(text: string, documentUrl: string | null): ApiDescription {
  const { root } = parseOpenApi(text)
  const references = openReferences(root)
  const viewOf = schemaViews(references)
  const server = findServer(root.servers, documentUrl)
  const foreignHosts = new Set<string>()
  const found = findEndpoints(root, { references, viewOf }, (servers) => {
    if (servers === undefined || (Array.isArray(servers) && servers.length === 0)) return null
    const own = findServer(servers, documentUrl)
    // Only variables that the API has, too, are inputs.
    const isKnown = own.inputs.every((input) => server.inputs.some(({ name }) => name === input.name))
    if (own.baseUrl === server.baseUrl || !isKnown) return null
    if (hostOf(own.baseUrl) !== hostOf(server.baseUrl)) foreignHosts.add(hostOf(own.baseUrl))
    return own.baseUrl
  })
  const security = findSecurity(root, found.operations, references, server)
  const info = isObject(root.info) ? root.info : {}
  return {
    title: typeof info.title === 'string' && info.title.trim() !== '' ? info.title.trim() : 'api',
    baseUrl: server.baseUrl,
    auth: security.auth,
    inputs: [...server.inputs, ...security.inputs],
    endpoints: found.endpoints,
    itemPaths: found.itemPaths,
    others: found.others,
    notes: [
      ...server.notes,
      ...security.notes,
      ...(foreignHosts.size === 0
        ? []
        : [`Some streams are read from other hosts, with the same credentials: ${[...foreignHosts].join(', ')}.`]),
      ...referenceNotes(references.foreign, 'outside of the document, which are not followed'),
      ...referenceNotes(references.broken, 'that lead nowhere'),
    ],
  }
}

function hostOf(url: string): string {
  const afterScheme = url.replace(/^(?:https?|\{\{[^{}]*\}\}):\/\//i, '')
  return /^(?:\{\{[^{}]*\}\}|[^/{}])+/.exec(afterScheme)?.[0] ?? url
}

function referenceNotes(references: ReadonlySet<string>, what: string): string[] {
  if (references.size === 0) return []
  const shown = [...references].slice(0, 3).map((one) => `\`${one.slice(0, 80)}\``)
  return [`${count(references.size, 'reference')} ${what}: ${shown.join(', ')}${references.size > 3 ? ' …' : ''}.`]
}
