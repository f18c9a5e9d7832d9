/** `turnleaf mcp`: the MCP server over standard input and output. */
import { join } from 'node:path'
import { homeFolder } from '../../connections/find-connection.ts'
import { openMcpContext } from '../../mcp/context.ts'
import { mcpSecrets } from '../../mcp/secrets.ts'
import { serveStdio } from '../../mcp/stdio.ts'
import { openSyncs } from '../../server/syncs/syncs.ts'
import { openWorkspace } from '../../server/workspace.ts'
import { listenForInterrupt, serverExitCode } from '../interrupt.ts'
import { ignoreClosedPipe } from '../closed-pipe.ts'
import { docsFolder, packageFolder, packageVersion } from '../package.ts'
import { withFailureReport } from '../report-error.ts'
import { oneLine, say } from '../terminal/print.ts'

/** As `turnleaf serve` on loopback: the client runs on this machine. */
const egress = 'loopback-allowed'

export function runMcp({ secret = [] }: { readonly secret?: readonly string[] }): Promise<number> {
  return withFailureReport(async () => {
    const secrets = mcpSecrets(secret, process.env)
    const interrupt = listenForInterrupt()
    // A client that leaves is a reason to commit what syncs have read, not to end at once.
    ignoreClosedPipe()
    const home = homeFolder()
    // Closed with the scope: waits until syncs have committed.
    await using syncs = openSyncs({ home, egress })
    const leftOut = [join(packageFolder(), 'connectors/lab')]
    const services = { home, leftOut, egress, syncs } as const
    const context = openMcpContext(services, openWorkspace(services), { secrets, docs: docsFolder() })
    const pipes = { input: process.stdin, output: process.stdout }
    const onError = (error: Error) =>
      say(oneLine(`A message of the client was not understood: ${error.message}`.slice(0, 300)))
    say(`The MCP server of Turnleaf, for connectors in ${home}. It speaks on standard input and output.`)
    await serveStdio(packageVersion(), context, pipes, { signal: interrupt.signal, onError })
    return interrupt.exitCode() === null ? 0 : serverExitCode(interrupt)
  })
}
