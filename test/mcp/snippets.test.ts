/** What docs/mcp.md says to paste into a client: exactly its command and its arguments, in a folder where the package is installed. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { blocksIn, page } from '../helpers/docs.ts'
import { serveApi } from '../helpers/serve-api.ts'
import { clientOn, openHttp } from './mcp-clients.ts'

type Command = { readonly command: string; readonly args: readonly string[]; readonly env: Record<string, string> }

const text = page('mcp')

/** As `claude mcp add NAME --env NAME=VALUE -- COMMAND` stores it. */
function shellCommand(): Command {
  const [, env = '', line = ''] =
    /^claude mcp add turnleaf --env (\S+) -- (.+)$/m.exec(text) ?? assert.fail('no command')
  const [command = '', ...args] = line.split(' ')
  return { command, args, env: Object.fromEntries([env.split('=') as [string, string]]) }
}

const snippets: readonly [client: string, Command][] = [
  ['Claude Code', shellCommand()],
  ...blocksIn(text, 'json').map((block): [string, Command] => {
    const { mcpServers, servers } = JSON.parse(block) as Record<'mcpServers' | 'servers', Record<string, Command>>
    return [mcpServers === undefined ? 'VS Code' : 'Cursor', (mcpServers ?? servers)['turnleaf'] as Command]
  }),
]

/** A folder where `npm install turnleaf` has run. */
function installed() {
  const folder = mkdtempSync(join(tmpdir(), 'turnleaf-client-'))
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
  symlinkSync(resolve('.'), join(folder, 'node_modules/turnleaf'))
  symlinkSync('../turnleaf/bin/turnleaf.js', join(folder, 'node_modules/.bin/turnleaf'))
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) }
}

test('there is a snippet for each client that is named', () => {
  assert.deepEqual(
    snippets.map(([client]) => client),
    ['Claude Code', 'Cursor', 'VS Code'],
  )
})

for (const [client, { command, args, env }] of snippets) {
  test(`${client}: the command of the docs starts the server, with its secret for its origin only`, async () => {
    using place = installed()
    await using api = await serveApi({ '*': () => ({ json: { data: [] } }) })
    assert.ok(Object.hasOwn(env, 'SHOP_TOKEN'))
    const transport = new StdioClientTransport({
      command,
      args: [...args],
      cwd: place.folder,
      stderr: 'ignore',
      // The client fills in its variables; the folder of the example does not exist here.
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: place.folder,
        SHOP_TOKEN: 'tok-3f9a1c77e2b84d05',
        TURNLEAF_HOME: place.folder,
        // A test downloads nothing.
        npm_config_offline: 'true',
        npm_config_update_notifier: 'false',
      },
    })
    await using one = await clientOn(transport)
    assert.equal((await one.call('list_connectors'))['total'], 0)
    const asking = (token: string) => ({ text: manifestOf(api.url), config: { token } })
    const { problem } = await one.call<{ problem: { code: string } }>('check_connection', asking('${SHOP_TOKEN}'))
    assert.equal(problem.code, 'mcp/secret-elsewhere')
    assert.equal((await one.fails('check_connection', asking('${HOME}'))).code, 'mcp/secret-refused')
    assert.deepEqual(api.asked, [])
  })
}

test('the address of the docs is where a server has MCP', async () => {
  await using opened = await openHttp()
  const named = [...text.matchAll(/http:\/\/127\.0\.0\.1:8081(\/\w+)/g)].map(([, path]) => path)
  assert.ok(named.length >= 3)
  assert.deepEqual([...new Set(named)], [new URL(opened.url).pathname])
})

function manifestOf(url: string): string {
  return `version: 6.0.0
type: DeclarativeSource
check: { type: CheckStream, stream_names: [orders] }
streams:
  - type: DeclarativeStream
    name: orders
    retriever:
      type: SimpleRetriever
      requester:
        type: HttpRequester
        url_base: ${url}
        path: /orders
        authenticator: { type: BearerAuthenticator, api_token: "{{ config['token'] }}" }
      record_selector: { type: RecordSelector, extractor: { type: DpathExtractor, field_path: [data] } }
spec:
  type: Spec
  connection_specification:
    type: object
    properties: { token: { type: string, airbyte_secret: true } }
`
}
