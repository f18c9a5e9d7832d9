/** Facts → what the payment probe answers: an x402 v2 PaymentRequired that asks for nothing. */
import type { SiteFacts } from '../facts.ts'

export const probePath = '/api/x402'

/**
 * Clients refuse an empty `accepts`, so there is one entry, of zero dollars. It names no wallet: x402 v2 allows a currency
 * as `asset` and a role as `payTo`. `card` is no registered CAIP-2 namespace, so no wallet finds a network to sign for.
 */
export function paymentRequired({ baseUrl }: SiteFacts): object {
  return {
    x402Version: 2,
    error: 'Discovery probe: always answers 402 and never charges. Everything on this site is free.',
    resource: {
      url: `${baseUrl}${probePath}`,
      description:
        'x402 discovery probe. No charge, nothing to unlock. card:usd is not a registered network: nothing can be paid.',
      mimeType: 'application/json',
      serviceName: 'Turnleaf',
    },
    accepts: [
      {
        scheme: 'exact',
        network: 'card:usd',
        amount: '0',
        asset: 'USD',
        payTo: 'merchant',
        maxTimeoutSeconds: 60,
        extra: {},
      },
    ],
    extensions: { bazaar },
  }
}

/** x402's Bazaar extension: how to call the probe. Registries ask for it; `info` must fit `schema`. */
const bazaar = {
  info: {
    input: { type: 'http', method: 'GET', queryParams: {} },
    output: { type: 'json', example: {} },
  },
  schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      input: {
        type: 'object',
        properties: {
          type: { type: 'string', const: 'http' },
          method: { type: 'string', enum: ['GET', 'HEAD', 'DELETE'] },
          queryParams: { type: 'object' },
        },
        required: ['type', 'method'],
        additionalProperties: false,
      },
      output: {
        type: 'object',
        properties: { type: { type: 'string' }, example: { type: 'object' } },
        required: ['type'],
      },
    },
    required: ['input'],
  },
}
