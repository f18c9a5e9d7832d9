/** Documents that are broken, hostile, huge or odd: words and typed errors, never a crash. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openDescription, importConnector } from '../../src/import/import-api.ts'
import { loadManifest } from '../../src/index.ts'
import { ConnectorError } from '../../src/std/errors.ts'

const list = (
  schema: unknown = { type: 'array', items: { type: 'object', properties: { id: { type: 'integer' } } } },
) => ({
  get: { responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } } },
})

const document = (more: Record<string, unknown> = {}) => ({
  openapi: '3.0.0',
  info: { title: 'x', version: '1' },
  servers: [{ url: 'https://x.example' }],
  paths: { '/things': list() },
  ...more,
})

const made = (value: unknown, url: string | null = null) =>
  importConnector(openDescription('openapi', typeof value === 'string' ? value : JSON.stringify(value), url), {})

function failure(value: unknown): ConnectorError {
  try {
    made(value)
  } catch (error) {
    if (error instanceof ConnectorError) return error
    throw error
  }
  return assert.fail('it was imported')
}

describe('what is no description', () => {
  const refused: readonly (readonly [string, unknown, string])[] = [
    ['a text', 'hello', 'import/not-openapi'],
    ['nothing', ' \n', 'import/unreadable'],
    ['broken JSON', '{"openapi": "3.0.0", ', 'import/unreadable'],
    ['broken YAML', 'openapi: "3.0\n  paths: [', 'import/unreadable'],
    ['HTML', '<!doctype html><html><body>Login</body></html>', 'import/not-openapi'],
    ['a list', '[1, 2]', 'import/not-openapi'],
    ['another version', { openapi: '4.0.0', paths: {} }, 'import/not-openapi'],
    ['Swagger 1.2', { swagger: '1.2', paths: {} }, 'import/not-openapi'],
    ['no paths', { openapi: '3.0.0' }, 'import/not-openapi'],
    ['webhooks only', { openapi: '3.1.0', webhooks: {} }, 'import/not-openapi'],
    ['a Postman collection', { info: { name: 'x' }, item: [] }, 'import/not-openapi'],
    ['a manifest', { type: 'DeclarativeSource', streams: [] }, 'import/not-openapi'],
    [
      'no lists',
      document({ paths: { '/thing': list({ type: 'object', properties: { id: { type: 'integer' } } }) } }),
      'import/no-streams',
    ],
    ['no operations', document({ paths: {} }), 'import/no-streams'],
  ]
  for (const [what, value, code] of refused) test(what, () => assert.equal(failure(value).code, code))

  test('the words say what it is instead', () => {
    assert.match(failure({ info: {}, item: [] }).message, /turnleaf import postman/)
    assert.match(failure({ log: { entries: [] } }).message, /turnleaf import har/)
  })
})

describe('odd documents', () => {
  test('every member of the wrong type is left alone', () => {
    const odd = [null, 1, 'x', [], [null], { $ref: 7 }, { $ref: '#/nowhere' }, true]
    for (const value of odd) {
      for (const name of ['servers', 'info', 'components', 'security', 'tags'])
        assert.equal(made(document({ [name]: value })).report.streams.length, 1)
      const operation = {
        ...list().get,
        parameters: value,
        security: value,
        servers: value,
        requestBody: value,
        summary: value,
      }
      assert.equal(
        made(document({ paths: { '/things': { get: operation, parameters: value }, '/odd': value } })).report.streams
          .length,
        1,
      )
      for (const schema of [value, { type: 'array', items: value }, { allOf: value }, { properties: value }])
        assert.doesNotThrow(() => made(document({ paths: { '/things': list(), '/odd': list(schema) } })))
    }
  })

  test('circles of references and of schemas end', () => {
    const schemas = {
      A: { $ref: '#/components/schemas/B' },
      B: { $ref: '#/components/schemas/A' },
      C: {
        allOf: [{ $ref: '#/components/schemas/C' }],
        properties: { id: { type: 'integer' }, c: { $ref: '#/components/schemas/C' } },
      },
      D: {
        type: 'object',
        properties: {
          data: { $ref: '#/components/schemas/D' },
          items: { type: 'array', items: { $ref: '#/components/schemas/C' } },
        },
      },
    }
    const of = (name: string) => ({ $ref: `#/components/schemas/${name}` })
    const paths = { '/a': list(of('A')), '/c': list({ type: 'array', items: of('C') }), '/d': list(of('D')) }
    const { report, manifest } = made(document({ components: { schemas }, paths }))
    assert.deepEqual(report.streams.map(({ name }) => name).toSorted(), ['c', 'd'])
    loadManifest(manifest)
  })

  test('references out of the document are not followed, and said', () => {
    for (const reference of [
      './other.yaml#/Thing',
      'https://evil.example/x.json',
      'file:///etc/passwd',
      '../../secret.json',
    ]) {
      const { report } = made(document({ paths: { '/things': list(), '/others': list({ $ref: reference }) } }))
      assert.match(report.notes.join('\n'), /outside of the document/)
    }
  })

  test('names with templates, quotes and line ends stay texts', () => {
    const evil = `{{ config['x'] }}'"\n# no: comment`
    const operation = {
      ...list().get,
      parameters: [{ name: evil, in: 'query', required: true, schema: { type: 'string', default: evil } }],
      summary: evil,
    }
    const { manifest } = made(
      document({
        info: { title: evil, version: '1' },
        paths: { [`/things/${evil.replaceAll('/', '')}`]: { get: operation } },
        components: { securitySchemes: { k: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
      }),
    )
    const { streams } = loadManifest(manifest)
    assert.equal(streams.length, 1)
    assert.ok(!JSON.stringify(streams).includes(`"{{ config['x'] }}`))
  })

  test('fields called $ref and __proto__ are no references of the manifest', () => {
    const properties = JSON.parse(
      '{"id":{"type":"integer"},"$ref":{"type":"string"},"__proto__":{"type":"string"},"$parameters":{"type":"object"}}',
    ) as object
    const { manifest } = made(
      document({ paths: { '/things': list({ type: 'array', items: { type: 'object', properties } }) } }),
    )
    assert.equal(loadManifest(manifest).streams.length, 1)
  })

  test('relative servers: the address of the document, or an input', () => {
    const relative = document({ servers: [{ url: '/api/v2' }] })
    assert.equal(made(relative, 'https://docs.example/spec/openapi.json').report.baseUrl, 'https://docs.example/api/v2')
    const { report } = made(relative)
    assert.equal(report.baseUrl, "{{ config['base_url'] }}/api/v2")
    assert.match(report.notes.join('\n'), /names no host/)
  })

  test('a path with a server of its own is read from there, also where both have the same variable or no host', () => {
    const [onTenants, onOther] = ['https://{tenant}.x.example', 'https://{tenant}.other.example']
    const cases: readonly (readonly [string, string, string, boolean])[] = [
      [`${onTenants}/v1`, `${onTenants}/v2`, "https://{{ config['tenant'] }}.x.example/v2", false],
      [`${onTenants}/v1`, onOther, "https://{{ config['tenant'] }}.other.example", true],
      ['/v1', '/v2', "{{ config['base_url'] }}/v2", false],
    ]
    for (const [of, own, expected, isForeign] of cases) {
      const paths = { '/things': list(), '/orders': { ...list(), servers: [{ url: own }] } }
      const { manifest, report } = made(document({ servers: [{ url: of }], paths }))
      assert.ok(manifest.includes(`        url_base: "${expected}"\n`), manifest)
      assert.equal(/read from other hosts/.test(report.notes.join()), isForeign, report.notes.join())
    }
  })

  test('a server on another host than the document: a warning', () => {
    assert.match(
      made(document(), 'https://docs.example/openapi.json').report.notes.join('\n'),
      /came from docs\.example, and its server is x\.example: your credentials/,
    )
    assert.doesNotMatch(made(document(), 'https://x.example/openapi.json').report.notes.join('\n'), /credentials/)
  })

  test('authentication that is not described is said', () => {
    assert.match(made(document()).report.notes.join('\n'), /does not say how to authenticate/)
  })

  test('aliases that multiply do not', () => {
    const lines = [
      'a0: &a0 [x, x, x, x, x, x, x, x, x]',
      ...Array.from({ length: 30 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}, *a${n}, *a${n}]`),
    ]
    assert.throws(() => made(`openapi: 3.0.0\npaths: {}\n${lines.join('\n')}`), ConnectorError)
  })

  test('5,000 paths: choose, do not drown', () => {
    const paths = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`/kind${n}`, list()]))
    const text = JSON.stringify(document({ paths }))
    const error = failure(text)
    assert.equal(error.code, 'import/too-many')
    assert.match(error.message, /5,000 lists of records/)
    const opened = openDescription('openapi', text, null)
    assert.equal(
      importConnector(opened, { only: ['kind17', '/kind4999', 'kind12*'], except: ['kind125*'] }).report.streams.length,
      102,
    )
    assert.throws(() => importConnector(opened, { only: ['kind17x9'] }), /No stream is called/)
    assert.throws(() => importConnector(opened, { only: ['kind1'], except: ['kind1'] }), /No stream is left/)
  })
})
