import assert from 'node:assert/strict'
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { openApi } from './asking.ts'

const path = '/v1/connectors'
const manifest = (stream: string, url = 'https://shop.example/v1') => `# A shop.
version: 6.0.0
type: DeclarativeSource
check: { type: CheckStream, stream_names: [${stream}] }
streams:
  - type: DeclarativeStream
    name: ${stream}
    retriever:
      type: SimpleRetriever
      requester: { type: HttpRequester, url_base: "${url}", path: /${stream} }
      record_selector: { type: RecordSelector, extractor: { type: DpathExtractor, field_path: [] } }
`

describe('connectors on disk', () => {
  test('where there is no folder yet, the list is empty and nothing is made', async () => {
    using api = openApi()
    assert.deepEqual((await api.ask('GET', path)).body, { home: api.home, connectors: [], skipped: [] })
    assert.deepEqual(readdirSync(api.home), [])
  })

  test('a new one is a plain folder with the text as it was sent', async () => {
    using api = openApi()
    const text = `${manifest('orders')}\r\n# ☃ \u0000\n\n`
    const { status, body, reply } = await api.ask('POST', path, { name: 'shop', text })
    assert.equal(status, 201)
    assert.equal(reply.headers.get('location'), '/v1/connectors/shop')
    assert.equal(readFileSync(api.at('shop/manifest.yaml'), 'utf8'), text)
    const opened = await api.ask('GET', `${path}/shop`)
    assert.deepEqual(opened.body, { ...body, changedAt: opened.body.changedAt, text, files: [] })
  })

  test('the list has the base URL, the streams and the number of errors of each', async () => {
    using api = openApi()
    const templated = manifest('items', "{{ config['host'] }}/v2").replace(
      'streams:\n',
      'spec:\n  type: Spec\n  connection_specification: { type: object, properties: { host: { type: string, default: "https://eu.example" } } }\nstreams:\n',
    )
    api.put('b/manifest.yaml', templated)
    api.put('a/manifest.yaml', manifest('orders'))
    api.put('c/manifest.yaml', 'streams:\n  - name: half\n    retriever: {}\n')
    api.put('d/manifest.yaml', 'streams: [')
    api.put('e/manifest.json', JSON.stringify({ version: '6.0.0' }))
    const { connectors } = (await api.ask('GET', path)).body
    const rows = connectors.map((one: Record<string, unknown>) => [
      one.name,
      one.baseUrl,
      one.streams,
      Number(one.errors) > 0,
    ])
    assert.deepEqual(rows, [
      ['a', 'https://shop.example/v1', ['orders'], false],
      ['b', 'https://eu.example/v2', ['items'], false],
      ['c', null, ['half'], true],
      ['d', null, [], true],
      ['e', null, [], true],
    ])
  })

  test('what is no connector is not listed, and what looks like one is named with the reason', async () => {
    using api = openApi()
    api.put('README.md', 'Not a folder.')
    api.put('code-only/source_x/paging.ts', '')
    api.put('.trash/old/manifest.yaml', manifest('a'))
    api.put('Shop/manifest.yaml', manifest('a'))
    api.put('latin/manifest.yaml', Buffer.from([0x61, 0xff, 0xfe]))
    api.put('folder/manifest.yaml/x', '')
    symlinkSync('/etc', api.at('etc'))
    api.put('linked/x', '')
    symlinkSync('/etc/passwd', api.at('linked/manifest.yaml'))
    const { connectors, skipped } = (await api.ask('GET', path)).body
    assert.deepEqual(connectors, [])
    assert.deepEqual(
      skipped.map(({ folder, reason }: { folder: string; reason: string }) => `${folder}: ${reason}`),
      [
        'Shop: The name of a connector has lower-case letters, digits, `-` and `_`, at most 63.',
        'etc: connectors/etc is a symbolic link, which is not followed.',
        'folder: manifest.yaml is not a file.',
        'latin: manifest.yaml is not UTF-8 text.',
        'linked: manifest.yaml is a symbolic link.',
      ],
    )
    for (const name of ['etc', 'folder', 'latin', 'linked']) {
      const { status, body } = await api.ask('GET', `${path}/${name}`)
      assert.deepEqual([status, body.code], [422, 'server/unreadable'])
      assert.ok(!JSON.stringify(body).includes('root:'))
    }
  })

  test('other files of the folder are listed; hidden ones, packages and what links lead to are not', async () => {
    using api = openApi()
    api.put('shop/manifest.yaml', manifest('orders'))
    api.put('shop/source_shop/paging.ts', '')
    api.put('shop/schemas/orders.json', '{}')
    api.put('shop/.git/config', '')
    api.put('shop/node_modules/turnleaf/index.js', '')
    symlinkSync('..', api.at('shop/loop'))
    const { files } = (await api.ask('GET', `${path}/shop`)).body
    assert.deepEqual(files, ['loop', 'schemas/orders.json', 'source_shop/paging.ts'])
  })

  const hostile = [
    '..',
    '%2e%2e',
    '..%2f..%2fetc',
    '.history',
    'a%00b',
    'x'.repeat(64),
    'Shop',
    'ä',
    'a%20b',
    '-a',
    'a.b',
    'con%5Caux',
  ]
  for (const name of hostile) {
    test(`the name ${name.slice(0, 16)} reaches no file`, async () => {
      using api = openApi()
      writeFileSync(`${api.home}/manifest.yaml`, manifest('a'))
      for (const method of ['GET', 'DELETE']) {
        const { status } = await api.ask(method, `${path}/${name}`)
        assert.ok([400, 404, 405].includes(status), `${method} ${status}`)
      }
      const saved = await api.ask('PUT', `${path}/${name}`, { text: 'x', basedOn: 'x' })
      assert.ok([400, 404, 405].includes(saved.status))
      const { status, body } = await api.ask('POST', path, { name: decodeURIComponent(name), text: 'x' })
      assert.deepEqual([status, body.code], [400, 'server/invalid-request'])
      assert.deepEqual(readdirSync(api.home), ['manifest.yaml'])
    })
  }

  test('a name is taken once, whatever its case on disk', async () => {
    using api = openApi()
    api.put('Shop/manifest.yaml', manifest('a'))
    await api.ask('POST', path, { name: 'other', text: 'first' })
    for (const name of ['shop', 'other']) {
      const { status, body } = await api.ask('POST', path, { name, text: 'second' })
      assert.deepEqual([status, body.code], [409, 'server/exists'])
    }
    assert.equal(readFileSync(api.at('other/manifest.yaml'), 'utf8'), 'first')
  })

  test('a folder with classes and no manifest yet becomes a connector', async () => {
    using api = openApi()
    api.put('shop/source_shop/paging.ts', 'export class Paging {}')
    assert.equal((await api.ask('POST', path, { name: 'shop', text: manifest('a') })).status, 201)
    assert.deepEqual((await api.ask('GET', `${path}/shop`)).body.files, ['source_shop/paging.ts'])
  })

  test('an incomplete character is refused, and everything else is kept', async () => {
    using api = openApi()
    const { status, body } = await api.ask('POST', path, { name: 'shop', text: 'a\ud800' })
    assert.deepEqual([status, body.code], [400, 'server/invalid-request'])
    assert.ok(!existsSync(api.at('shop')))
    api.put('bom/manifest.yaml', '\ufeff# with a mark\nversion: 6.0.0\n')
    const opened = (await api.ask('GET', `${path}/bom`)).body
    assert.ok(opened.text.startsWith('\ufeff#'))
  })

  test('two hundred connectors, one of them with a megabyte, are listed by name', async () => {
    using api = openApi()
    for (let index = 0; index < 200; index++) api.put(`c${index}/manifest.yaml`, manifest(`s${index}`))
    const large = `${manifest('large')}metadata:\n${'  - some words that fill a line of a manifest\n'.repeat(24_000)}`
    await api.ask('POST', path, { name: 'large', text: large })
    for (let round = 0; round < 2; round++) {
      const { connectors } = (await api.ask('GET', path)).body
      assert.equal(connectors.length, 201)
      assert.deepEqual(connectors.find(({ name }: { name: string }) => name === 'c7').streams, ['s7'])
    }
    assert.equal((await api.ask('GET', `${path}/large`)).body.text, large)
  })
})

describe('saving', () => {
  test('a change based on what is there is saved, in the file that is there and with its rights', async () => {
    using api = openApi()
    api.put('shop/manifest.json', '{}')
    chmodSync(api.at('shop/manifest.json'), 0o640)
    const { version } = (await api.ask('GET', `${path}/shop`)).body
    const { status, body } = await api.ask('PUT', `${path}/shop`, { text: '{"a":1}', basedOn: version })
    assert.equal(status, 200)
    assert.notEqual(body.version, version)
    assert.deepEqual(readdirSync(api.at('shop')).toSorted(), ['.history', 'manifest.json'])
    assert.equal(readFileSync(api.at('shop/manifest.json'), 'utf8'), '{"a":1}')
    assert.equal(statSync(api.at('shop/manifest.json')).mode & 0o777, 0o640)
  })

  test('a change based on something else is refused with the version that is there', async () => {
    using api = openApi()
    const { version: first } = (await api.ask('POST', path, { name: 'shop', text: 'one' })).body
    const { version: second } = (await api.ask('PUT', `${path}/shop`, { text: 'two', basedOn: first })).body
    const { status, body, reply } = await api.ask('PUT', `${path}/shop`, { text: 'three', basedOn: first })
    assert.equal(status, 409)
    assert.equal(reply.headers.get('content-type'), 'application/problem+json')
    assert.deepEqual([body.code, body.version], ['server/changed-meanwhile', second])
    assert.equal(readFileSync(api.at('shop/manifest.yaml'), 'utf8'), 'two')
  })

  test('what a person wrote meanwhile is not overwritten', async () => {
    using api = openApi()
    const { version } = (await api.ask('POST', path, { name: 'shop', text: 'ours' })).body
    api.put('shop/manifest.yaml', 'theirs')
    assert.equal((await api.ask('PUT', `${path}/shop`, { text: 'ours again', basedOn: version })).status, 409)
    assert.equal(readFileSync(api.at('shop/manifest.yaml'), 'utf8'), 'theirs')
  })

  test('of twenty saves at the same moment one wins, and all of it', async () => {
    using api = openApi()
    const { version: basedOn } = (await api.ask('POST', path, { name: 'shop', text: 'start' })).body
    const texts = Array.from({ length: 20 }, (_, index) => `text ${index}\n`.repeat(2000))
    const saves = await Promise.all(texts.map((text) => api.ask('PUT', `${path}/shop`, { text, basedOn })))
    assert.deepEqual(
      saves.map(({ status }) => status).toSorted((one, other) => one - other),
      [200, ...Array.from({ length: 19 }, () => 409)],
    )
    const winner = texts[saves.findIndex(({ status }) => status === 200)]
    assert.equal(readFileSync(api.at('shop/manifest.yaml'), 'utf8'), winner)
  })

  test('of two that create the same at the same moment one wins', async () => {
    using api = openApi()
    const made = await Promise.all(['a', 'b'].map((text) => api.ask('POST', path, { name: 'shop', text })))
    assert.deepEqual(
      made.map(({ status }) => status).toSorted((one, other) => one - other),
      [201, 409],
    )
  })

  test('the same save once more, as after a response that got lost, is fine', async () => {
    using api = openApi()
    const { version: basedOn } = (await api.ask('POST', path, { name: 'shop', text: 'one' })).body
    const first = await api.ask('PUT', `${path}/shop`, { text: 'two', basedOn })
    const again = await api.ask('PUT', `${path}/shop`, { text: 'two', basedOn })
    assert.deepEqual([again.status, again.body.version], [200, first.body.version])
  })

  test('what was deleted between list and open is not found', async () => {
    using api = openApi()
    api.put('shop/manifest.yaml', manifest('a'))
    assert.equal((await api.ask('GET', path)).body.connectors.length, 1)
    rmSync(api.at('shop'), { recursive: true })
    for (const [method, body] of [['GET'], ['DELETE'], ['PUT', { text: 'x', basedOn: 'y' }]] as const) {
      const asked = await api.ask(method, `${path}/shop`, body)
      assert.deepEqual([asked.status, asked.body.code], [404, 'server/not-found'])
    }
    assert.ok(!existsSync(api.at('shop')))
  })

  test('a disk that refuses says why, names no path, and keeps what was there', async () => {
    using api = openApi()
    api.put('shop/manifest.yaml', 'before')
    api.put('shop/.history', 'a file where the folder should be')
    const { body: opened, status: canBeOpened } = await api.ask('GET', `${path}/shop`)
    assert.equal(canBeOpened, 200)
    const { status, body } = await api.ask('PUT', `${path}/shop`, { text: 'after', basedOn: opened.version })
    assert.deepEqual([status, body.code], [500, 'server/disk'])
    assert.match(body.detail, /^"shop" cannot be saved: a file is in the place of a folder \(E\w+\)\.$/)
    assert.ok(!JSON.stringify(body).includes(api.home))
    assert.equal(readFileSync(api.at('shop/manifest.yaml'), 'utf8'), 'before')
  })

  test('a lock that cannot be made is an error of the disk, too', async () => {
    using api = openApi()
    api.put('shop/.history/.saving', 'a file where the folder should be')
    const { status, body } = await api.ask('POST', path, { name: 'shop', text: 'x' })
    assert.deepEqual([status, body.code], [500, 'server/disk'])
    assert.match(body.detail, /^"shop" cannot be created: a file is in the place of a folder \(E\w+\)\.$/)
    assert.match(body.hint, /TURNLEAF_HOME/)
  })

  test('a home that is a file is an error of the disk, not of the server', async () => {
    using api = openApi()
    writeFileSync(api.at(), 'no folder')
    assert.deepEqual((await api.ask('GET', path)).body.connectors, [])
    const { status, body } = await api.ask('POST', path, { name: 'shop', text: 'x' })
    assert.deepEqual([status, body.code], [500, 'server/disk'])
  })
})

describe('deleting', () => {
  test('comes out of the trash with everything in it, the one deleted last', async (context) => {
    using api = openApi()
    // All within one millisecond.
    context.mock.method(Date, 'now', () => Date.UTC(2026, 0, 1))
    api.put('back/manifest.yaml', manifest('first'))
    await api.ask('DELETE', '/v1/connectors/back')
    api.put('back/manifest.yaml', manifest('second'))
    api.put('back/source_back/paging.ts', 'class')
    assert.equal((await api.ask('DELETE', '/v1/connectors/back')).status, 204)
    // Another connector whose name ends alike.
    api.put('hold-back/manifest.yaml', manifest('other'))
    await api.ask('DELETE', '/v1/connectors/hold-back')
    const { status } = await api.ask('POST', '/v1/connectors/back/restoration')
    assert.equal(status, 200)
    assert.equal(readFileSync(api.at('back/manifest.yaml'), 'utf8'), manifest('second'))
    assert.equal(readFileSync(api.at('back/source_back/paging.ts'), 'utf8'), 'class')
    assert.equal((await api.ask('POST', '/v1/connectors/back/restoration')).status, 409)
    assert.equal((await api.ask('POST', '/v1/connectors/never/restoration')).status, 404)
  })

  test('moves the folder to the trash with everything in it, as often as one likes', async () => {
    using api = openApi()
    for (const text of ['first', 'second']) {
      await api.ask('POST', path, { name: 'shop', text })
      api.put('shop/source_shop/paging.ts', text)
      assert.equal((await api.ask('DELETE', `${path}/shop`)).status, 204)
      assert.ok(!existsSync(api.at('shop')))
    }
    const trash = readdirSync(api.at('.trash'))
      .filter((name) => name.endsWith('-shop'))
      .toSorted()
    assert.deepEqual(
      trash.map((name) => readFileSync(api.at('.trash', name, 'source_shop/paging.ts'), 'utf8')),
      ['first', 'second'],
    )
    assert.equal(readFileSync(api.at('.trash/.gitignore'), 'utf8'), '*\n')
    assert.deepEqual((await api.ask('GET', path)).body, { home: api.home, connectors: [], skipped: [] })
  })
})
