/** MCP over standard input and output, until the client leaves. */
import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { createProtocolServer } from './protocol-server.ts'
import type { McpContext } from './tool.ts'

/** A call with the largest manifest that a tool reads, and more: a larger one is refused by the tool, with a reason. */
const mostBytes = 64 * 1024 * 1024

type Pipes = { readonly input: Readable; readonly output: Writable }

/** Resolves once the client has left, or the signal aborts; calls in progress are cancelled then. */
export async function serveStdio(
  version: string,
  context: McpContext,
  { input, output }: Pipes,
  { signal, onError }: { readonly signal: AbortSignal; readonly onError: (error: Error) => void },
): Promise<void> {
  const protocol = createProtocolServer(version, context)
  const transport = new StdioServerTransport(input, output, { maxBufferSize: mostBytes })
  const left = new Promise<void>((resolve) => {
    Object.assign(protocol.server, { onclose: resolve, onerror: onError })
    // The SDK does not notice that the client is gone.
    for (const event of ['end', 'close']) input.once(event, () => void protocol.close())
    for (const event of ['error', 'close']) output.once(event, () => void protocol.close())
    signal.addEventListener('abort', () => void protocol.close(), { once: true })
  })
  await protocol.connect(transport)
  if (signal.aborted) await protocol.close()
  await left
}
