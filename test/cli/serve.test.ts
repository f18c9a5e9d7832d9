import assert from 'node:assert/strict'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { connectorFolder } from '../helpers/connector-folder.ts'
import { takenPort } from '../helpers/taken-port.ts'
import { type Given, runCli, said, startCli } from './run-cli.ts'

const anyPorts = ['--site-port', '0', '--api-port', '0', '--lab-port', '0']

/** The three addresses, as printed. */
function addressesIn(words: string): { site: string; api: string; lab: string } {
  const address = (name: string) => new RegExp(`^${name} +(http://\\S+)`, 'm').exec(words)?.[1] ?? assert.fail(words)
  return { site: address('site'), api: address('API'), lab: address('lab') }
}

async function serving(args: readonly string[], given: Given = {}) {
  const started = startCli(['serve', ...args], given)
  const words = await said(started.child.stderr, 'Try in another terminal')
  return { ...started, words, ...addressesIn(words) }
}

describe('turnleaf serve', { concurrency: 4 }, () => {
  test('serves MCP where the catalog of the site says', async () => {
    await using served = await serving([...anyPorts, '--no-read'])
    const catalog = await (await fetch(`${served.site}/.well-known/ai-catalog.json`)).json()
    const { entries } = catalog as { entries: { url: string }[] }
    const card = (await (await fetch(entries[0]?.url ?? '')).json()) as { remotes: { url: string }[] }
    assert.match(served.words, new RegExp(`^MCP +${card.remotes[0]?.url} +for AI assistants$`, 'm'))
    const client = new Client({ name: 'test', version: '1.0.0' })
    await client.connect(new StreamableHTTPClientTransport(new URL(card.remotes[0]?.url ?? '')) as Transport)
    const result = await client.callTool({ name: 'list_connectors', arguments: {} })
    assert.notEqual(result.isError, true)
    await client.close()
  })

  test('opens site, API and lab, which name each other as they are reached', async () => {
    await using served = await serving([...anyPorts, '--no-read'])
    const { site, api, lab, words } = served
    const catalog = await (await fetch(`${site}/.well-known/api-catalog`)).text()
    assert.ok(catalog.includes(`"${api}/openapi.json"`))
    assert.equal((await fetch(`${api}/.well-known/api-catalog`)).url, `${site}/.well-known/api-catalog`)
    assert.equal((await fetch(`${api}/health`)).status, 200)
    assert.equal((await fetch(`${lab}/offset`)).status, 200)
    assert.doesNotMatch(words, /Reading every stream/)
    served.child.kill('SIGINT')
    assert.equal(await served.ended, 0)
  })

  test('SIGTERM ends it by the signal itself, with everything closed', async () => {
    await using served = await serving([...anyPorts, '--no-read'])
    served.child.kill('SIGTERM')
    assert.equal(await served.ended, 'SIGTERM')
    await assert.rejects(fetch(`${served.api}/health`))
  })

  test('publishes the addresses it was given', async () => {
    const env = { TURNLEAF_BASE_URL: 'https://turnleaf.example', TURNLEAF_API_URL: 'https://api.turnleaf.example/' }
    await using served = await serving([...anyPorts, '--no-read'], { env })
    assert.match(served.words, /^site +http:\S+ +published as https:\/\/turnleaf\.example$/m)
    assert.match(served.words, /^MCP +http:\S+ +published as https:\/\/api\.turnleaf\.example\/mcp$/m)
    const { headers } = await fetch(`${served.site}/`)
    assert.match(String(headers.get('link')), /^<https:\/\/turnleaf\.example\/\.well-known\/api-catalog>/)
    assert.match(String(headers.get('strict-transport-security')), /^max-age=/)
    const { servers } = (await (await fetch(`${served.api}/openapi.json`)).json()) as { servers: object[] }
    assert.deepEqual(servers, [{ url: 'https://api.turnleaf.example' }])
  })

  test('takes ports and host from the environment', async () => {
    const env = { TURNLEAF_HOST: 'localhost', TURNLEAF_SITE_PORT: '0', TURNLEAF_API_PORT: '0', TURNLEAF_LAB_PORT: '0' }
    await using served = await serving(['--no-read'], { env })
    assert.match(served.site, /^http:\/\/localhost:\d+$/)
    assert.equal((await fetch(served.site)).status, 200)
  })

  test('says where the builder is before anything else, and what it will find there', async () => {
    await using own = await connectorFolder({
      'connectors/shop/manifest.yaml': 'version: 6.0.0',
      'connectors/half/notes.txt': '',
    })
    await using served = await serving([...anyPorts, '--no-read'], { env: { TURNLEAF_HOME: own.folder } })
    const place = `${own.folder}/connectors`
    assert.equal(served.words.split('\n')[0], `builder   ${served.api}   1 connector in ${place}`)
    assert.match(await (await fetch(served.api)).text(), /<title>Turnleaf/)
    const { connectors } = (await (await fetch(`${served.api}/v1/connectors`)).json()) as { connectors: object[] }
    assert.equal(connectors.length, 1)
    const { url } = (await (await fetch(`${served.api}/v1/sample`)).json()) as { url: string }
    assert.equal(url, served.lab)
  })

  test('the lab is read into the default database of an empty folder, and not next to the tables of a connection', async () => {
    const database = (folder: string) => existsSync(join(folder, 'turnleaf.duckdb'))
    await using empty = await connectorFolder({})
    await using fresh = await serving(anyPorts, { cwd: empty.folder })
    assert.match(fresh.words, /records of 23 streams written to/)
    assert.equal(database(empty.folder), true)
    await using used = await connectorFolder({ 'connections/shop/connection.yaml': 'connector: shop\n' })
    await using own = await serving(anyPorts, { cwd: used.folder })
    assert.doesNotMatch(own.words, /streams written to/)
    assert.equal(database(used.folder), false)
  })

  test('the connector of the package is not listed in a checkout', async () => {
    await using served = await serving([...anyPorts, '--no-read'])
    assert.match(served.words, /^builder +http:\S+ +connectors has no connector yet: start with the sample$/m)
    const { connectors } = (await (await fetch(`${served.api}/v1/connectors`)).json()) as { connectors: object[] }
    assert.deepEqual(connectors, [])
  })

  test('beyond this machine it starts with a token only, and reads public addresses only', async () => {
    const args = ['--host', '0.0.0.0', ...anyPorts, '--no-read']
    const refused = await runCli(['serve', ...args])
    assert.equal(refused.code, 2)
    assert.match(
      refused.stderr,
      /^cli\/no-token: Other machines can reach the API on 0\.0\.0\.0.*\n {2}try {2}Set TURNLEAF_TOKEN/,
    )
    await using served = await serving(args, { env: { TURNLEAF_TOKEN: 'only-we-know' } })
    assert.match(served.words, /^The API requires TURNLEAF_TOKEN\. Open the builder at http:\S+\/#token=TOKEN\.$/m)
    assert.match(served.words, /^Test reads can reach public addresses only/m)
    assert.ok(!served.words.includes('only-we-know'))
    const list = `${served.api}/v1/connectors`
    assert.equal((await fetch(served.api)).status, 200)
    assert.equal((await fetch(list)).status, 401)
    const headers = { Authorization: 'Bearer only-we-know' }
    assert.equal((await fetch(list, { headers })).status, 200)
    assert.equal((await fetch(`${served.api}/v1/sample`, { headers })).status, 404)
  })

  test('the usual ports may be any near them', async () => {
    await using _site = await takenPort(8080)
    await using _api = await takenPort(8081)
    await using served = await serving(['--no-read', '--lab-port', '0'])
    assert.match(served.words, /^Port 8080 is taken; the site uses \d+\.$/m)
    assert.match(served.words, /^Port 8081 is taken; the API uses \d+\.$/m)
    const catalog = await (await fetch(`${served.site}/.well-known/api-catalog`)).text()
    assert.ok(catalog.includes(`"${served.api}/health"`))
  })

  test('a port that was given must be free', async () => {
    await using taken = await takenPort()
    const port = String(taken.port)
    const wishes: [args: string[], env: Record<string, string>][] = [
      [['--site-port', port, '--api-port', '0', '--lab-port', '0'], {}],
      [['--site-port', '0', '--api-port', port, '--lab-port', '0'], {}],
      [['--api-port', '0', '--lab-port', '0'], { TURNLEAF_SITE_PORT: port }],
    ]
    for (const [args, env] of wishes) {
      const ran = await runCli(['serve', ...args], { env })
      assert.equal(ran.code, 2)
      assert.match(ran.stderr, /^site\/port-taken: Port \d+ on 127\.0\.0\.1 is taken\.\n {2}try {2}/)
      assert.equal(ran.stdout, '')
    }
  })

  const faults: [name: string, env: Record<string, string>, complaint: RegExp][] = [
    [
      'a base URL with a path',
      { TURNLEAF_BASE_URL: 'https://x.example/app' },
      /^site\/invalid-base-url: The TURNLEAF_BASE_URL/,
    ],
    [
      'an API URL with a query',
      { TURNLEAF_API_URL: 'https://x.example/?a' },
      /^site\/invalid-base-url: The TURNLEAF_API_URL/,
    ],
    [
      'a token that no header can carry',
      { TURNLEAF_TOKEN: 'grüße dich' },
      /^cli\/arguments: TURNLEAF_TOKEN has a character/,
    ],
    ['a port that is none', { TURNLEAF_SITE_PORT: 'http' }, /^cli\/arguments: TURNLEAF_SITE_PORT is `http`/],
    [
      'a host that is not here',
      { TURNLEAF_HOST: '192.0.2.1', TURNLEAF_TOKEN: 'x' },
      /^site\/cannot-listen: Port 0 on 192\.0\.2\.1/,
    ],
  ]
  for (const [name, env, complaint] of faults) {
    test(`${name} is a fault, and nothing starts`, async () => {
      const ports = env.TURNLEAF_SITE_PORT === undefined ? anyPorts : []
      const ran = await runCli(['serve', ...ports], { env })
      assert.equal(ran.code, 2, ran.stderr)
      assert.match(ran.stderr, complaint)
      assert.match(ran.stderr, /\n {2}try {2}/)
    })
  }
})
