/** The MCP server of the API, loaded on its first request: most servers never get one, and the SDK is not small. */
import type { RespondMcp, Services } from '../server/services.ts'
import type { Workspace } from '../server/workspace.ts'
import type { McpOptions } from './context.ts'

export function openMcpWhenCalled(
  services: Pick<Services, 'home' | 'egress' | 'syncs'>,
  options: McpOptions,
): (workspace: Workspace) => RespondMcp {
  return (workspace) => {
    let opening: Promise<RespondMcp> | undefined
    const open = async () => {
      const [{ serveMcp }, { openMcpContext }] = await Promise.all([import('./http.ts'), import('./context.ts')])
      return serveMcp(options.version, openMcpContext(services, workspace, options))
    }
    return async (request) => (await (opening ??= open()))(request)
  }
}
