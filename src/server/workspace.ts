/** What all operations of one server share: connectors on disk, captured pages, limits. */
import { stringifyJson } from '../std/json.ts'
import { type Connectors, openConnectors } from './connectors/connectors.ts'
import { openInspection } from './inspection/inspect.ts'
import type { ImportJob } from './imports/import-text.ts'
import { openLargeManifests } from './large-manifests.ts'
import { openReadLimit, type ReadLimit } from './read-limit.ts'
import { openQueries, type Queries } from './syncs/queries.ts'
import type { Syncs } from './syncs/syncs.ts'
import { type Captures, openCaptures } from './test-reads/captures.ts'
import type { InspectionRequest } from './wire/inspection.ts'

export type Workspace = {
  readonly connectors: Connectors
  readonly limit: ReadLimit
  readonly captures: Captures
  readonly queries: Queries
  /** The inspection as JSON text; null where it was not needed any more when its turn came. */
  readonly inspect: (request: InspectionRequest, folder: string | null, signal: AbortSignal) => Promise<string | null>
  /** A description of an API → its streams and a manifest, as JSON text; null as above. */
  readonly importDescription: (job: ImportJob, signal: AbortSignal) => Promise<string | null>
}

/** At once, for the builder, clients of the manifest server and MCP clients: each may hold large pages and load the same API. */
const maxReads = 8

type WorkspaceOptions = {
  /** TURNLEAF_HOME. */
  readonly home: string
  readonly leftOut?: readonly string[] | undefined
  readonly syncs: Syncs
}

export function openWorkspace({ home, leftOut, syncs }: WorkspaceOptions): Workspace {
  const large = openLargeManifests()
  const inspect = openInspection()
  return {
    connectors: openConnectors({ home, leftOut, large }),
    limit: openReadLimit(maxReads),
    captures: openCaptures(),
    queries: openQueries(syncs),
    inspect: async (request, folder, signal) =>
      large.isLarge(request.text)
        ? large.run({ kind: 'inspect', request, folder }, signal)
        : stringifyJson(await inspect(request, folder)),
    // Documents take up to seconds: never on the thread that serves others.
    importDescription: (job, signal) => large.run(job, signal),
  }
}
