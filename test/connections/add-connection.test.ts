import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { addConnection, removeConnection } from '../../src/connections/add-connection.ts'
import { fillReferences } from '../../src/connections/references.ts'
import { tempFolder } from '../cli/shop.ts'

const manifest = `version: 6.0.0
type: DeclarativeSource
check: { type: CheckStream, stream_names: [orders] }
streams:
  - type: DeclarativeStream
    name: orders
    retriever:
      type: SimpleRetriever
      requester:
        type: HttpRequester
        url_base: https://{{ config['region'] }}.shop.example
        path: /orders
        authenticator: { type: BearerAuthenticator, api_token: "{{ config['destination'] }}" }
      record_selector: { type: RecordSelector, extractor: { type: DpathExtractor, field_path: [data] } }
    schema_loader: { type: InlineSchemaLoader, schema: {} }
spec:
  type: Spec
  connection_specification:
    type: object
    properties:
      destination: { type: string, airbyte_secret: true }
      region: { type: string }
`

test('a secret input that is called destination, and the address of the database, are in two files', async () => {
  await using files = await tempFolder()
  await files.write('connectors/shop/manifest.yaml', manifest)
  const to = 'postgres://me:hidden-pass@localhost/db'
  const given = { name: 'shop', connector: 'shop', config: { destination: 'api-s3cret', region: 'eu' }, to }
  const { connection } = await addConnection(given, files.folder)
  const { config, destination, folder, locate } = connection
  assert.deepEqual(await fillReferences({ config, destination }, { folder, locate }), {
    config: { destination: 'api-s3cret', region: 'eu' },
    destination: to,
  })
  assert.deepEqual(connection.origins, ['https://eu.shop.example'])
  assert.ok(!(await readFile(join(folder, 'connection.yaml'), 'utf8')).includes('hidden-pass'))
})

test('an address that depends on a variable is none of the origins that a connection remembers', async () => {
  await using files = await tempFolder()
  await files.write('connectors/shop/manifest.yaml', manifest)
  const config = { destination: 'api-s3cret', region: '${SHOP_REGION}' }
  const { connection } = await addConnection({ name: 'shop', connector: 'shop', config }, files.folder)
  assert.equal(connection.origins, null)
})

test('to remove a connection that is a plain file leaves all others where they are', async () => {
  await using files = await tempFolder()
  // As where the connections are on a volume: a link can be moved into the folder that it leads to.
  await mkdir(join(files.folder, 'volume'))
  await symlink('volume', join(files.folder, 'connections'))
  await files.write('volume/one.yaml', 'connector: shop\n')
  await files.write('volume/shop/connection.yaml', 'connector: shop\n')
  await assert.rejects(removeConnection('one.yaml', files.folder), { code: 'connections/name', message: /is a file/ })
  assert.deepEqual((await readdir(join(files.folder, 'connections'))).toSorted(), ['one.yaml', 'shop'])
})
