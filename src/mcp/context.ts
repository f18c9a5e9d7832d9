/** What the tools work with → a context for all sessions of one server. */
import type { Services } from '../server/services.ts'
import type { Workspace } from '../server/workspace.ts'
import { openDiagnoses } from './diagnoses.ts'
import { type DocsIndex, openDocsIndex } from './docs-index.ts'
import { type BoundSecret, withSecrets } from '../server/secrets/secret-network.ts'
import type { McpContext } from './tool.ts'

export type McpOptions = {
  readonly version: string
  readonly secrets: readonly BoundSecret[]
  /** The folder with the documentation. */
  readonly docs: string
}

export function openMcpContext(
  services: Pick<Services, 'home' | 'egress' | 'syncs'>,
  workspace: Workspace,
  { secrets, docs: folder }: Omit<McpOptions, 'version'>,
): McpContext {
  let docs: Promise<DocsIndex> | undefined
  return {
    services,
    workspace,
    secrets,
    wrapNetwork: withSecrets(secrets),
    diagnoses: openDiagnoses(),
    docs: () => (docs ??= openDocsIndex(folder)),
  }
}
