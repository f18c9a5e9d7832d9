/** The MCP inspector: lists the tools and calls one, over both transports. */
import { token } from './served.js'
import { named, parsed, runNpm } from '../cached-tools.js'

export async function inspector({ mcp, folder, program }) {
  const transports = [
    { name: 'stdio', target: [process.execPath, program, 'mcp'] },
    { name: 'streamable HTTP', target: [mcp, '--transport', 'http', '--header', `Authorization: Bearer ${token}`] },
  ]
  const rows = []
  for (const { name, target } of transports) {
    const ask = async (...request) =>
      parsed(
        await runNpm('@modelcontextprotocol/inspector', 'mcp-inspector', ['--cli', ...target, '--method', ...request], {
          env: { TURNLEAF_HOME: folder },
          cwd: folder,
        }),
      )
    const { tools } = await ask('tools/list')
    const { isError, structuredContent } = await ask('tools/call', '--tool-name', 'list_connectors')
    rows.push({
      tool: named('@modelcontextprotocol/inspector'),
      over: `MCP over ${name}`,
      result: `${tools.length} tools, a call`,
      isGreen: tools.length > 20 && isError !== true && typeof structuredContent?.total === 'number',
      remarks: [],
    })
  }
  return rows
}
