/** Facts → the site's OpenAPI description: the three operations that scanners look for. */
import type { SiteFacts } from '../facts.ts'
import { catalogPath } from './api-catalog.ts'
import { probePath } from './payment-required.ts'

export const openApiPath = '/openapi.json'

/** The version of what is described here, which is not the version of the package. */
const descriptionVersion = '1.0.0'

export function describeSite({ baseUrl, apiUrl }: SiteFacts): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Turnleaf discovery',
      version: descriptionVersion,
      summary: 'How people, agents and payment scanners find Turnleaf.',
      description: `The public site of Turnleaf: homepage, API catalog and payment probe. All of it is free. The data-plane API describes itself at ${apiUrl}/openapi.json.`,
      contact: { name: 'Turnleaf', url: `${baseUrl}/` },
      license: { name: 'MIT', identifier: 'MIT' },
      'x-guidance': `Read ${baseUrl}/llms.txt first. GET / answers markdown when asked with Accept: text/markdown. The catalog at ${baseUrl}${catalogPath} leads to the data-plane API at ${apiUrl}. GET ${probePath} always answers 402 and never charges: do not pay it.`,
    },
    servers: [{ url: baseUrl, description: 'The public site.' }],
    security: [],
    tags: [{ name: 'discovery', description: 'What finds and explains the product.' }],
    paths: {
      '/': { get: getHomepage },
      [catalogPath]: { get: getApiCatalog },
      [probePath]: { get: x402DiscoveryProbe },
    },
    components: {
      schemas: { Linkset: linksetSchema, PaymentRequired: paymentRequiredSchema, Problem: problemSchema },
    },
    'x-service-info': {
      categories: ['data', 'developer-tools'],
      docs: { apiReference: `${apiUrl}/openapi.json`, homepage: `${baseUrl}/`, llms: `${baseUrl}/llms.txt` },
    },
  }
}

const header = (description: string) => ({ description, required: true, schema: { type: 'string' } })

const conditional = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The ETag of an earlier response; when it still holds, the response is 304 without a body.',
  schema: { type: 'string' },
}

const notModified = {
  description: 'The copy named in If-None-Match is current.',
  headers: { ETag: header('Its ETag.') },
}

const problem = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } }

const tooLong = { description: 'Request line and headers together pass 16 KB.', content: problem }

/** OpenAPI ignores a parameter named Accept; two media types say that it counts. */
const getHomepage = {
  operationId: 'getHomepage',
  tags: ['discovery'],
  summary: 'The homepage, as HTML or markdown',
  description: 'HTML unless the Accept header prefers text/markdown, or names text/plain. All say the same.',
  security: [],
  parameters: [conditional],
  responses: {
    200: {
      description: 'The homepage.',
      headers: {
        ETag: header('One per representation and coding.'),
        Vary: header('Names Accept and Accept-Encoding.'),
        Link: header('RFC 8288: api-catalog, service-desc, service-doc, alternate.'),
      },
      content: {
        'text/html': { schema: { type: 'string' } },
        'text/markdown': { schema: { type: 'string' } },
        'text/plain': { schema: { type: 'string', description: 'The markdown, for clients that name no other type.' } },
      },
    },
    304: notModified,
    406: {
      description: 'The Accept header allows neither HTML nor markdown.',
      content: problem,
    },
    431: tooLong,
  },
}

const getApiCatalog = {
  operationId: 'getApiCatalog',
  tags: ['discovery'],
  summary: 'The API catalog',
  description: 'RFC 9727: every API published here, with its description, documentation and status.',
  security: [],
  parameters: [conditional],
  responses: {
    200: {
      description: 'A linkset (RFC 9264).',
      headers: { ETag: header('Changes with the catalog.'), Link: header('RFC 8288: api-catalog, item.') },
      content: { 'application/linkset+json': { schema: { $ref: '#/components/schemas/Linkset' } } },
    },
    304: notModified,
    431: tooLong,
  },
}

const x402DiscoveryProbe = {
  operationId: 'x402DiscoveryProbe',
  tags: ['discovery'],
  summary: 'Payment discovery probe',
  description: 'Always 402, whatever is sent. No charge; no payment is taken, acknowledged or able to unlock anything.',
  security: [],
  parameters: [
    {
      name: 'PAYMENT-SIGNATURE',
      in: 'header',
      required: false,
      description: 'Ignored: the probe takes no payment.',
      schema: { type: 'string' },
    },
  ],
  // Exactly these four: scanners differ in what more they tolerate.
  'x-payment-info': { intent: 'charge', method: 'card', amount: '0', currency: 'USD' },
  responses: {
    402: {
      description: 'What an x402 v2 client is shown. The amount is zero and the network cannot be paid on.',
      headers: {
        'PAYMENT-REQUIRED': {
          description: 'The body, in standard base64.',
          required: true,
          schema: { type: 'string', pattern: '^[A-Za-z0-9+/]+={0,2}$' },
        },
      },
      content: { 'application/json': { schema: { $ref: '#/components/schemas/PaymentRequired' } } },
    },
  },
}

const text = { type: 'string' }
const absoluteUrl = { type: 'string', format: 'uri' }

const linksetSchema = {
  type: 'object',
  required: ['linkset'],
  additionalProperties: false,
  properties: {
    linkset: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['anchor'],
        properties: { anchor: absoluteUrl },
        additionalProperties: {
          type: 'array',
          minItems: 1,
          items: { type: 'object', required: ['href'], properties: { href: absoluteUrl, type: text } },
        },
      },
    },
  },
}

const problemSchema = {
  type: 'object',
  description: 'RFC 9457.',
  required: ['type', 'title', 'status', 'detail'],
  properties: { type: text, title: text, status: { type: 'integer' }, detail: text },
}

const paymentRequiredSchema = {
  type: 'object',
  description: 'x402 v2.',
  required: ['x402Version', 'resource', 'accepts'],
  properties: {
    x402Version: { type: 'integer', const: 2 },
    error: text,
    resource: {
      type: 'object',
      required: ['url'],
      properties: { url: absoluteUrl, description: text, mimeType: text },
    },
    accepts: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['scheme', 'network', 'amount', 'asset', 'payTo', 'maxTimeoutSeconds'],
        properties: {
          scheme: text,
          network: text,
          amount: { type: 'string', const: '0' },
          asset: text,
          payTo: text,
          maxTimeoutSeconds: { type: 'integer', minimum: 1 },
        },
      },
    },
    extensions: { type: 'object' },
  },
}
