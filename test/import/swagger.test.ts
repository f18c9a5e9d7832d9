import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDescription, importConnector } from '../../src/import/import-api.ts'
import { loadManifest } from '../../src/index.ts'

const swagger = {
  swagger: '2.0',
  info: { title: 'Old shop', version: '1' },
  host: 'old.example',
  basePath: '/api',
  schemes: ['http', 'https'],
  securityDefinitions: { login: { type: 'basic' } },
  security: [{ login: [] }],
  produces: ['application/json'],
  parameters: { page: { name: 'page', in: 'query', type: 'integer', default: 0 } },
  definitions: { Pet: { type: 'object', properties: { petId: { type: 'integer' }, name: { type: 'string' } } } },
  paths: {
    '/pets': {
      get: {
        parameters: [{ $ref: '#/parameters/page' }, { name: 'size', in: 'query', type: 'integer', maximum: 30 }],
        responses: { 200: { description: 'ok', schema: { type: 'array', items: { $ref: '#/definitions/Pet' } } } },
      },
    },
    '/pets/{petId}': {
      get: {
        parameters: [{ name: 'petId', in: 'path', required: true, type: 'integer' }],
        responses: { 200: { description: 'ok', schema: { $ref: '#/definitions/Pet' } } },
      },
    },
  },
}

test('Swagger 2.0 is upgraded, also when its version is a number', () => {
  for (const text of [JSON.stringify(swagger), JSON.stringify(swagger).replace('"2.0"', '2.0')]) {
    const { manifest, report } = importConnector(openDescription('openapi', text, null), {})
    assert.equal(loadManifest(manifest).streams.length, 1)
    assert.deepEqual(
      [report.baseUrl, report.authentication, report.inputs.map(({ name }) => name)],
      ['https://old.example/api', 'user and password (basic)', ['username', 'password']],
    )
    const [pets] = report.streams
    assert.deepEqual(
      [pets?.name, pets?.primaryKey, pets?.pagination.says],
      ['pets', 'petId', 'Page number from 0 in the query parameter page'],
    )
    assert.match(manifest, /size: "30"/)
  }
})
