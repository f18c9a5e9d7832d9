/** What the routes need; passed in by `turnleaf serve` and by tests. */
import type { Egress } from '../engine/response/egress.ts'
import type { Schedules } from './schedules/schedules.ts'
import type { BoundSecret } from './secrets/secret-network.ts'
import type { Syncs } from './syncs/syncs.ts'
import type { Workspace } from './workspace.ts'

export type Services = {
  /** TURNLEAF_HOME: `connectors/`, `connections/` and the embedded database are in it. */
  readonly home: string
  /** Folders in `connectors/` to ignore: those of the package itself, in a checkout. */
  readonly leftOut?: readonly string[]
  /** The built web app. */
  readonly pages: string
  /** The index for search in the docs. */
  readonly docsIndex?: string
  /** A folder or git repository of public manifests to start from. */
  readonly collection?: string
  /** The address of the sample API; null where none runs. */
  readonly lab: string | null
  /** Required in every request; null where only this machine can send one. */
  readonly token: string | null
  /** Which addresses test reads and syncs may reach. */
  readonly egress: Egress
  /** Syncs that run in the background; closed by the caller. */
  readonly syncs: Syncs
  /** Schedules of connections; closed by the caller. */
  readonly schedules: Schedules
  /** Environment variables that its operator allows, with their origins. */
  readonly environment?: readonly BoundSecret[] | undefined
  /** Opens the MCP server at `/mcp`; there is none where it is absent. */
  readonly openMcp?: ((workspace: Workspace) => RespondMcp) | undefined
}

/** A request to `/mcp` → its response. */
export type RespondMcp = (request: Request) => Promise<Response>
