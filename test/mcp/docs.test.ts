/** The search in the documentation, the docs of the tools, the card, and what loads the SDK. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { openDocsIndex, sectionsOf } from '../../src/mcp/docs-index.ts'
import { mcpTools } from '../../src/mcp/tools.ts'
import { aiCatalog, serverCard } from '../../src/site/documents/server-card.ts'
import { openHttp } from './mcp-clients.ts'

test('docs/mcp.md lists every tool, and whether it changes something', () => {
  const rows = [...readFileSync('docs/mcp.md', 'utf8').matchAll(/^\| `([a-z_]+)` \| .+ \| (.+) \|$/gm)]
  const listed = rows.map(([, name, changes]) => [name, changes === 'nothing'])
  assert.deepEqual(
    listed,
    mcpTools.map(({ name, isReadOnly }) => [name, isReadOnly]),
  )
})

test('what a tool may do is announced', async () => {
  await using opened = await openHttp()
  await using one = await opened.open()
  const { tools } = await one.client.listTools()
  const named = (hint: 'readOnlyHint' | 'destructiveHint' | 'openWorldHint') =>
    tools.filter(({ annotations }) => annotations?.[hint] === true).map(({ name }) => name)
  const writing = tools.map(({ name }) => name).filter((name) => !named('readOnlyHint').includes(name))
  assert.deepEqual(writing, ['create_connector', 'edit_manifest', 'apply_fix', 'sync', 'cancel_sync'])
  assert.deepEqual(named('destructiveHint'), ['edit_manifest', 'apply_fix', 'sync'])
  assert.deepEqual(named('openWorldHint'), [
    'detect_api',
    'import_description',
    'check_connection',
    'test_read',
    'diagnose_stream',
    'sync',
  ])
  for (const { name, outputSchema, inputSchema } of tools) {
    assert.ok(outputSchema !== undefined && inputSchema.type === 'object', name)
  }
})

test('a section of the docs is found by its words, and by an error code', async () => {
  const { search } = await openDocsIndex('docs')
  const first = (query: string) => search(query, 3).map(({ page, heading }) => `${page} ${heading}`)
  assert.match(first('response/address-refused').join('\n'), /^errors\.md .*response\/address-refused/)
  assert.match(first('cron schedule time zone').join('\n'), /schedules\.md/)
  assert.match(first('offset increment page size').join('\n'), /pagination\.md/)
  assert.deepEqual(first('zzzqqq xxyyzz'), [])
})

test('headings in code are not headings', () => {
  const sections = sectionsOf('a.md', '# A\none\n```\n# no heading\n```\n## B\ntwo\n### C `c`\nthree\n## D\nfour\n')
  assert.deepEqual(
    sections.map(({ heading }) => heading),
    ['A', 'A › B', 'A › B › C c', 'A › D'],
  )
})

test('the card and the catalog have what their specifications require', () => {
  const facts = { baseUrl: 'https://turnleaf.example', apiUrl: 'https://api.turnleaf.example', version: '0.1.0' }
  const card = JSON.parse(serverCard(facts))
  assert.equal(card.$schema, 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json')
  assert.match(card.name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
  assert.equal(card.name, 'example.turnleaf/turnleaf')
  assert.ok(card.description.length <= 100)
  assert.deepEqual(card.remotes, [{ type: 'streamable-http', url: 'https://api.turnleaf.example/mcp' }])
  const { specVersion, entries } = JSON.parse(aiCatalog(facts))
  assert.equal(specVersion, '1.0')
  const [{ representativeQueries, ...entry }, ...others] = entries
  assert.deepEqual(others, [])
  assert.ok(representativeQueries.length >= 2 && representativeQueries.length <= 5)
  assert.deepEqual(entry, {
    identifier: 'urn:air:turnleaf.example:turnleaf',
    displayName: 'Turnleaf',
    type: 'application/mcp-server-card+json',
    url: 'https://api.turnleaf.example/mcp/server-card',
  })
  const local = JSON.parse(serverCard({ ...facts, baseUrl: 'http://[::1]:8080' }))
  assert.match(local.name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
})

test('the card names the server that is there', async () => {
  await using opened = await openHttp()
  const card = (await (await fetch(`${opened.url}/server-card`)).json()) as {
    remotes: { url: string }[]
    version: string
  }
  assert.equal(card.remotes[0]?.url, opened.url)
  await using one = await opened.open()
  assert.equal(one.client.getServerVersion()?.version, card.version)
})

test('only `turnleaf mcp` and the first request to /mcp load the SDK', () => {
  const importsOf = (file: string) =>
    [...readFileSync(file, 'utf8').matchAll(/(?:^|\n|;)\s*(?:import|export)\b[^;'"]*?["'](\.{1,2}\/[^"']+)["']/g)].map(
      ([, path]) => normalize(join(dirname(file), path as string)),
    )
  const loadedBy = (start: string) => {
    const files = new Set([start])
    for (const file of files) for (const next of importsOf(file)) files.add(next)
    return [...files]
  }
  const chunks = readdirSync('dist/chunks').map((name) => join('dist/chunks', name))
  const holdsSdk = (file: string) => /notifications\/cancelled/.test(readFileSync(file, 'utf8'))
  const holders = chunks.filter(holdsSdk)
  assert.ok(holders.length > 0, 'the SDK is not in the package')
  const starts = ['dist/index.js', 'dist/engine/index.js', 'dist/cli/main.js']
  const commands = chunks.filter((file) => /\/(?:read|sync|serve|check|validate)-[\w-]+\.js$/.test(file))
  assert.ok(commands.length > 3)
  for (const start of [...starts, ...commands]) {
    assert.deepEqual(
      loadedBy(start).filter((file) => holders.includes(file)),
      [],
      start,
    )
  }
  const own = chunks.filter((file) => /\/mcp-(?!secrets)[\w-]+\.js$/.test(file))
  assert.ok(own.some((file) => loadedBy(file).some((one) => holders.includes(one))))
})
