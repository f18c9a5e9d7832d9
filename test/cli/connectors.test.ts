import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, test } from 'node:test'
import { runCli } from './run-cli.ts'
import { tempFolder } from './shop.ts'

const manifest = (stream: string, schema = '') => `version: 6.0.0
type: DeclarativeSource
check: { type: CheckStream, stream_names: [${stream}] }
streams:
  - type: DeclarativeStream
    name: ${stream}
    retriever:
      type: SimpleRetriever
      requester: { type: HttpRequester, url_base: https://api.example.com, path: /${stream} }
      record_selector: { type: RecordSelector, extractor: { type: DpathExtractor, field_path: [] } }
${schema}spec:
  type: Spec
  connection_specification:
    type: object
    required: [api_key, site, since]
    properties:
      api_key: { type: string, airbyte_secret: true }
      site: { type: string, examples: [acme] }
      since: { type: string }
`

const fileSchema = `    schema_loader: { type: JsonFileSchemaLoader, file_path: './schemas/{{ parameters.name }}.json' }
    $parameters: { name: bills }
`

const metadata = (title: string) => `data:
  name: ${title}
  license: ELv2
  documentationUrl: https://docs.example.com/${title}
`

/** As public connectors are laid out: by folder, or inside a Python package with schemas as files. */
const files = {
  LICENSE: '\nThe Example Licence\nwords\n',
  'connectors/source-shop/manifest.yaml': manifest('orders'),
  'connectors/source-shop/metadata.yaml': metadata('Shop API'),
  'connectors/source-bills/source_bills/manifest.yaml': manifest('bills', fileSchema),
  'connectors/source-bills/source_bills/schemas/bills.json': '{ "type": "object" }',
  'connectors/source-bills/source_bills/components.py': 'raise SystemExit',
  'connectors/source-broken/manifest.yaml': 'version: [',
  'connectors/source-broken/metadata.yaml': ': : :',
  'docs/large.bin': 'x'.repeat(100_000),
} as const

async function collection() {
  const temp = await tempFolder()
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(temp.folder, path)), { recursive: true })
    await writeFile(join(temp.folder, path), text)
  }
  return temp
}

describe('connectors', { concurrency: 2 }, () => {
  test('search lists name, title and licence; a misspelt name is found', async () => {
    await using from = await collection()
    const search = (...words: string[]) => runCli(['connectors', 'search', ...words, '--from', from.folder])
    const all = await search()
    assert.equal(all.code, 0, all.stderr)
    assert.equal(
      all.stdout,
      `name     title      licence
bills    bills      The Example Licence (LICENSE)
broken   broken     The Example Licence (LICENSE)
shop     Shop API   ELv2
`,
    )
    assert.match((await search('SHOP', 'api')).stdout, /\nshop .*\n$/)
    assert.match((await search('shpo')).stdout, /\nshop .*\n$/)
    const none = await search('nothing-like-it')
    assert.deepEqual([none.code, none.stdout], [1, ''])
    const json = await search('shop', '--json')
    assert.equal((JSON.parse(json.stdout) as { licence: string }).licence, 'ELv2')
  })

  test('add copies manifest and schemas with their licence, and says what the config needs', async () => {
    await using from = await collection()
    await using home = await tempFolder()
    const add = (...args: string[]) =>
      runCli(['connectors', 'add', ...args, '--from', from.folder], { cwd: home.folder })
    const shop = await add('source-shop')
    assert.equal(shop.code, 0, shop.stderr)
    assert.match(shop.stderr, /Wrote connectors\/shop: Shop API, ELv2\./)
    assert.match(shop.stderr, /1 of its 1 stream can be read\.\n/)
    assert.match(shop.stderr, / {2}api_key: \$\{SHOP_API_KEY\}\n {2}site: "acme"\n {2}since: …\n/)
    assert.match(shop.stderr, /npx turnleaf connection add shop --connector shop --config config.yaml/)
    const written = join(home.folder, 'connectors/shop')
    assert.equal(await readFile(join(written, 'manifest.yaml'), 'utf8'), files['connectors/source-shop/manifest.yaml'])
    assert.match(await readFile(join(written, 'README.md'), 'utf8'), /Licence: ELv2\./)

    const bills = await add('bills', '--name', 'mine')
    assert.equal(bills.code, 0, bills.stderr)
    await stat(join(home.folder, 'connectors/mine/schemas/bills.json'))
    await assert.rejects(stat(join(home.folder, 'connectors/mine/components.py')))
    assert.match((await add('broken')).stderr, /The manifest has errors: npx turnleaf validate/)

    const twice = await add('shop')
    assert.equal(twice.code, 2)
    assert.match(twice.stderr, /connections\/exists/)
    const unknown = await add('shopp')
    assert.equal(unknown.code, 2)
    assert.match(unknown.stderr, /collections\/unknown.*\n.*Did you mean shop\?/)
  })

  test('a git repository: only manifests are fetched, kept, and updated on request', async () => {
    await using from = await collection()
    await using home = await tempFolder()
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: from.folder })
    git('init', '--quiet')
    git('config', 'uploadpack.allowFilter', 'true')
    git('add', '.')
    git('commit', '--quiet', '-m', 'first')
    const env = { TURNLEAF_COLLECTION: pathToFileURL(from.folder).href }
    const run = (...args: string[]) => runCli(['connectors', ...args], { cwd: home.folder, env })

    const added = await run('add', 'bills')
    assert.equal(added.code, 0, added.stderr)
    await stat(join(home.folder, 'connectors/bills/schemas/bills.json'))
    const { stdout: shown } = await run('search', 'shop', '--json')
    const { file } = JSON.parse(shown) as { file: string }
    const checkout = file.slice(0, file.indexOf('/connectors/'))
    await assert.rejects(stat(join(checkout, 'docs/large.bin')))

    await mkdir(join(from.folder, 'connectors/source-new'))
    await writeFile(join(from.folder, 'connectors/source-new/manifest.yaml'), manifest('news'))
    git('add', '.')
    git('commit', '--quiet', '-m', 'second')
    assert.equal((await run('search', 'source-new')).code, 1)
    const updated = await run('search', 'new', '--update')
    assert.match(updated.stdout, /^new /m, updated.stderr)
  })

  test('a repository or a folder that is not there', async () => {
    await using home = await tempFolder()
    const search = (from: string) => runCli(['connectors', 'search', 'x', '--from', from], { cwd: home.folder })
    const gone = await search('file:///no/such/repository')
    assert.equal(gone.code, 1)
    assert.match(gone.stderr, /collections\/git: file:\/\/\/no\/such\/repository cannot be fetched/)
    await assert.rejects(stat(join(home.folder, '.collections/file-no-such-repository')))
    const folder = await search('./nothing')
    assert.equal(folder.code, 2)
    assert.match(folder.stderr, /collections\/none: Cannot read .\/nothing/)
    const nowhere = await runCli(['connectors', 'search'], { cwd: home.folder })
    assert.match(nowhere.stderr, /--from FOLDER/)
  })
})
