/** What the MCP server is given, over standard input and over HTTP: its secrets, and the documentation. */
import { join } from 'node:path'
import { parseSecret } from '../mcp/secrets.ts'
import type { BoundSecret } from '../server/secrets/secret-network.ts'
import { packageFolder } from './package.ts'

export function docsFolder(): string {
  return join(packageFolder(), 'docs')
}

/** Those of the options, and those of TURNLEAF_MCP_SECRETS. */
export function mcpSecrets(given: readonly string[] = []): BoundSecret[] {
  const listed = (process.env.TURNLEAF_MCP_SECRETS ?? '').split(/\s+/).filter((one) => one !== '')
  return [...given, ...listed].map((one) => parseSecret(one, process.env))
}
