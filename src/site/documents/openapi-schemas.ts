/** The shapes that the site's OpenAPI description refers to. */

const text = { type: 'string' }
const absoluteUrl = { type: 'string', format: 'uri' }

export const linksetSchema = {
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

export const problemSchema = {
  type: 'object',
  description: 'RFC 9457.',
  required: ['type', 'title', 'status', 'detail'],
  properties: { type: text, title: text, status: { type: 'integer' }, detail: text },
}

export const paymentRequiredSchema = {
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
