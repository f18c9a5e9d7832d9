/** The server about itself. */
import { z } from 'zod'
import { catalogPath } from '../site/documents/api-catalog.ts'
import type { SiteFacts } from '../site/facts.ts'
import { json } from './answers.ts'
import { type Route, route } from './route.ts'

const health = z.object({ status: z.literal('ok') }).meta({ id: 'Health' })

const capabilities = z
  .object({ custom_code_execution: z.boolean().describe('Whether code sent in a request is run. It never is.') })
  .meta({ id: 'Capabilities' })

/** @param description made of all routes, these among them, so it is asked for late. */
export function serviceRoutes({ baseUrl }: SiteFacts, description: () => object): readonly Route[] {
  return [
    route({
      method: 'get',
      path: '/health',
      id: 'getHealth',
      tag: 'service',
      summary: 'Whether the server works',
      isOpen: true,
      answers: { 200: { description: 'It does.', body: health } },
      handle: () => json({ status: 'ok' }),
    }),
    route({
      method: 'get',
      path: '/capabilities',
      id: 'getCapabilities',
      tag: 'service',
      summary: 'What requests may ask for',
      answers: { 200: { description: 'So far one thing.', body: capabilities } },
      handle: () => json({ custom_code_execution: false }),
    }),
    route({
      method: 'get',
      path: '/openapi.json',
      id: 'getDescription',
      tag: 'service',
      summary: 'This description',
      isOpen: true,
      answers: { 200: { description: 'OpenAPI 3.1.', body: z.record(z.string(), z.unknown()) } },
      handle: () => json(description()),
    }),
    route({
      method: 'get',
      path: catalogPath,
      id: 'getCanonicalCatalog',
      tag: 'service',
      summary: 'Where the API catalog is',
      isOpen: true,
      answers: { 308: { description: 'The catalog of the public site.', headers: { Location: 'Its address.' } } },
      // RFC 9727 §5.1: one catalog is canonical, and the others lead to it.
      handle: () => new Response(null, { status: 308, headers: { Location: `${baseUrl}${catalogPath}` } }),
    }),
  ]
}
