/** What of a description proposes which pagination: one small endpoint each. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openDescription, reportOf } from '../../src/import/import-api.ts'

type Described = {
  readonly query?: readonly Record<string, unknown>[]
  readonly next?: Record<string, unknown>
  readonly headers?: Record<string, unknown>
  readonly words?: string
}

function proposalFor({ query = [], next = {}, headers = {}, words = '' }: Described) {
  const text = JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'x', version: '1' },
    servers: [{ url: 'https://x.example' }],
    paths: {
      '/things': {
        get: {
          description: words,
          parameters: query.map((one) => ({ in: 'query', schema: { type: 'string' }, ...one })),
          responses: {
            200: {
              description: 'ok',
              headers,
              content: {
                'application/json': {
                  schema: {
                    type: 'object',
                    properties: {
                      items: { type: 'array', items: { type: 'object', properties: { id: { type: 'integer' } } } },
                      ...next,
                    },
                  },
                },
              },
            },
          },
        },
      },
    },
  })
  const { api, streams } = openDescription('openapi', text, null)
  const [stream] = reportOf(api, streams, 0).streams
  return `${stream?.pagination.method}: ${stream?.pagination.says}`
}

const integer = { schema: { type: 'integer' } }
const text = { type: 'string' }

const cases: readonly (readonly [string, Described, string])[] = [
  ['a page number', { query: [{ name: 'page', ...integer }] }, 'page: Page number from 1 in the query parameter page'],
  [
    'pages from zero',
    { query: [{ name: 'pageNo', schema: { type: 'integer', minimum: 0 } }] },
    'page: Page number from 0 in the query parameter pageNo',
  ],
  [
    'pages from zero, in words',
    { query: [{ name: 'page', ...integer, description: 'Zero-based page number.' }] },
    'page: Page number from 0 in the query parameter page',
  ],
  [
    'JSON:API',
    {
      query: [
        {
          name: 'page',
          style: 'deepObject',
          schema: { type: 'object', properties: { number: { type: 'integer' }, size: { type: 'integer' } } },
        },
      ],
    },
    'page: Page number from 1 in the query parameter page[number]',
  ],
  [
    'an offset',
    {
      query: [
        { name: 'skip', ...integer },
        { name: 'take', ...integer },
      ],
    },
    'offset: Offset in the query parameter skip',
  ],
  [
    'an offset from one',
    { query: [{ name: 'startIndex', schema: { type: 'integer', default: 1 } }] },
    'offset: Offset from 1 in the query parameter startIndex',
  ],
  [
    'a token',
    { query: [{ name: 'pageToken' }], next: { nextPageToken: text } },
    'cursor: The value at nextPageToken goes into the query parameter pageToken',
  ],
  [
    'a token by its own name',
    { query: [{ name: 'NextToken' }], next: { NextToken: text } },
    'cursor: The value at NextToken goes into the query parameter NextToken',
  ],
  [
    'the number of the next page',
    { query: [{ name: 'page', ...integer }], next: { next_page: { type: 'integer' } } },
    'cursor: The value at next_page goes into the query parameter page',
  ],
  [
    'a token in a header',
    { query: [{ name: 'cursor' }], headers: { 'X-Next-Cursor': {} } },
    'cursor: The header X-Next-Cursor goes into the query parameter cursor',
  ],
  [
    'the Link header',
    { query: [{ name: 'page', ...integer }], headers: { Link: {} } },
    'link-header: The next URL is in the Link header',
  ],
  [
    'the Link header, in words',
    { query: [{ name: 'page', ...integer }], words: 'See the Link header for the next page.' },
    'link-header: The next URL is in the Link header',
  ],
  ['a Link header about other things', { headers: { Link: { description: 'The license.' } } }, 'none: No pagination'],
  ['the next URL', { next: { next: { type: 'string', format: 'uri' } } }, 'next-url: The next URL is in next'],
  [
    'HAL',
    { next: { _links: { type: 'object', properties: { next: { type: 'object', properties: { href: text } } } } } },
    'next-url: The next URL is in _links.next.href',
  ],
  [
    'OData',
    { query: [{ name: '$skip', ...integer }], next: { '@odata.nextLink': text } },
    'next-url: The next URL is in @odata.nextLink',
  ],
  [
    'links with relations',
    { next: { links: { type: 'array', items: { type: 'object', properties: { rel: text, href: text } } } } },
    'next-url: The next URL is in the link "next" of links',
  ],
  [
    'the last record',
    { query: [{ name: 'starting_after' }], next: { has_more: { type: 'boolean' } } },
    'start-after: The id of the last record goes into the query parameter starting_after',
  ],
  ['a cursor that nothing gives', { query: [{ name: 'cursor' }] }, 'none: No pagination'],
  [
    'a date is no offset',
    {
      query: [
        { name: 'from', description: 'Start date' },
        { name: 'start', schema: { type: 'integer' }, description: 'Unix timestamp' },
      ],
    },
    'none: No pagination',
  ],
  ['a size alone', { query: [{ name: 'limit', ...integer }] }, 'none: No pagination'],
]

describe('proposed pagination', () => {
  for (const [what, described, expected] of cases) test(what, () => assert.equal(proposalFor(described), expected))
})
