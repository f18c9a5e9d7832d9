/** Facts → the OpenAPI description of {api_url}: what it answers today, and nothing it will answer one day. */
import { catalogPath } from '../site/documents/api-catalog.ts'
import { problemSchema } from '../site/documents/openapi-schemas.ts'
import type { SiteFacts } from '../site/facts.ts'

export function openApi({ baseUrl, apiUrl, version }: SiteFacts): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Turnleaf API',
      version,
      description: `The data plane of Turnleaf. So far it says how it is; what reads APIs is the command line. See ${baseUrl}/.`,
      contact: { name: 'Turnleaf', url: `${baseUrl}/` },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: apiUrl }],
    security: [],
    tags: [{ name: 'service', description: 'The server about itself.' }],
    paths: {
      '/health': { get: getHealth },
      '/openapi.json': { get: getDescription },
      [catalogPath]: { get: getCanonicalCatalog },
      '/': { get: getServiceDocument },
    },
    components: { schemas: { Problem: problemSchema } },
  }
}

/** What the parser refuses never reaches a route. */
const tooLong = {
  description: 'Request line and headers together pass 16 KB.',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
}

const getHealth = {
  operationId: 'getHealth',
  tags: ['service'],
  summary: 'Whether the server works',
  security: [],
  responses: {
    200: {
      description: 'It does.',
      content: {
        'application/json': {
          schema: { type: 'object', required: ['status'], properties: { status: { type: 'string', const: 'ok' } } },
        },
      },
    },
    431: tooLong,
  },
}

const getDescription = {
  operationId: 'getDescription',
  tags: ['service'],
  summary: 'This description',
  security: [],
  responses: {
    200: { description: 'OpenAPI 3.1.', content: { 'application/json': { schema: { type: 'object' } } } },
    431: tooLong,
  },
}

const getCanonicalCatalog = {
  operationId: 'getCanonicalCatalog',
  tags: ['service'],
  summary: 'Where the API catalog is',
  security: [],
  responses: {
    308: {
      description: 'The catalog of the public site.',
      headers: { Location: { description: 'Its address.', required: true, schema: { type: 'string', format: 'uri' } } },
    },
    431: tooLong,
  },
}

const getServiceDocument = {
  operationId: 'getServiceDocument',
  tags: ['service'],
  summary: 'What this server is, in a few lines',
  security: [],
  responses: {
    200: { description: 'A page.', content: { 'text/html': { schema: { type: 'string' } } } },
    431: tooLong,
  },
}
