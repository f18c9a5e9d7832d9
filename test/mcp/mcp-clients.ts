/** The SDK's own client, connected to `turnleaf mcp` and to the API of a server: with no other access. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import assert from 'node:assert/strict'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import type {
  JsonSchemaType,
  JsonSchemaValidator,
  jsonSchemaValidator,
} from '@modelcontextprotocol/sdk/validation/types.js'
import { openMcpWhenCalled } from '../../src/mcp/open-when-called.ts'
import { parseSecret } from '../../src/mcp/secrets.ts'
import type { BoundSecret } from '../../src/server/secrets/secret-network.ts'
import { startApi } from '../server/start-api.ts'
import type { Services } from '../../src/server/services.ts'
import { testServices } from '../server/services.ts'

export type McpClient = AsyncDisposable & {
  readonly client: Client
  /** The structured content; an error of the tool fails the test. */
  readonly call: <Value = Record<string, unknown>>(name: string, args?: Record<string, unknown>) => Promise<Value>
  /** What the error says, as the client gets it. */
  fails(
    name: string,
    args?: Record<string, unknown>,
  ): Promise<{ code: string; hint: string; [member: string]: unknown }>
  /** Everything the server sent, as text. */
  readonly received: () => string
}

export type OpenedMcp = AsyncDisposable & {
  readonly home: string
  /** Another client of the same connectors. */
  open(): Promise<McpClient>
}

type McpSetup = { readonly secrets?: Readonly<Record<string, { value: string; origin: string }>> }

const checker = new AjvJsonSchemaValidator()
const compiled = new Map<string, JsonSchemaValidator<unknown>>()

/** The SDK's own, for all clients: each would compile the schemas of all tools, which are the same. */
const sharedValidator: jsonSchemaValidator = {
  getValidator<Value>(schema: JsonSchemaType) {
    const key = JSON.stringify(schema)
    const known = compiled.get(key) ?? checker.getValidator(schema)
    compiled.set(key, known)
    return known as JsonSchemaValidator<Value>
  },
}

/** A client that is connected, and knows the tools. */
export async function clientOn(transport: Transport): Promise<McpClient> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { jsonSchemaValidator: sharedValidator })
  const received: string[] = []
  await client.connect(transport)
  const { onmessage } = transport
  Object.assign(transport, {
    onmessage: ((message, extra) => {
      received.push(JSON.stringify(message))
      onmessage?.(message, extra)
    }) satisfies Transport['onmessage'],
  })
  // With the list the client knows the output schemas, and checks every result.
  await client.listTools()
  const ask = async (name: string, args: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: args })) as CallToolResult
  return {
    client,
    async call<Value>(name: string, args: Record<string, unknown> = {}) {
      const result = await ask(name, args)
      assert.notEqual(result.isError, true, `${name}: ${JSON.stringify(result.content)}`)
      return result.structuredContent as Value
    },
    async fails(name, args = {}) {
      const { isError, content } = await ask(name, args)
      assert.equal(isError, true, `${name} did not fail: ${JSON.stringify(content)}`)
      return JSON.parse((content[1] as { text: string }).text)
    },
    received: () => received.join('\n'),
    [Symbol.asyncDispose]: () => client.close(),
  }
}

/** `turnleaf mcp` of the built package. */
export async function openStdio({ secrets = {} }: McpSetup = {}): Promise<OpenedMcp & { stderr: () => string }> {
  const home = mkdtempSync(join(tmpdir(), 'turnleaf-mcp-'))
  const options = Object.entries(secrets).flatMap(([name, { origin }]) => ['--secret', `${name}=${origin}`])
  const values = Object.fromEntries(Object.entries(secrets).map(([name, { value }]) => [name, value]))
  let stderr = ''
  return {
    home,
    stderr: () => stderr,
    async open() {
      const transport = new StdioClientTransport({
        command: process.execPath,
        args: ['bin/turnleaf.js', 'mcp', ...options],
        env: { PATH: process.env.PATH ?? '', TURNLEAF_HOME: home, ...values },
        stderr: 'pipe',
      })
      transport.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
      return clientOn(transport)
    },
    async [Symbol.asyncDispose]() {
      rmSync(home, { recursive: true, force: true })
    },
  }
}

/** `/mcp` of an API on a free port. */
export async function openHttp(
  { secrets = {} }: McpSetup = {},
  changes: Partial<Services> = {},
): Promise<OpenedMcp & { url: string }> {
  const given: BoundSecret[] = Object.entries(secrets).map(([name, { value, origin }]) =>
    parseSecret(`${name}=${origin}`, { [name]: value }),
  )
  const services = testServices(changes)
  const openMcp = openMcpWhenCalled(services, { version: '0.1.0', secrets: given, docs: 'docs' })
  const where = { host: '127.0.0.1', port: 0 }
  const api = await startApi({
    ...where,
    baseUrl: 'http://127.0.0.1:1',
    version: '0.1.0',
    services: { ...services, openMcp },
  })
  const url = `${api.url}/mcp`
  return {
    home: services.home,
    url,
    open: () => clientOn(new StreamableHTTPClientTransport(new URL(url)) as Transport),
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]()
      await services[Symbol.asyncDispose]()
    },
  }
}
