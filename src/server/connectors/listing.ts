/** The folders of connectors → a list of them, and of the folders that look like one and cannot be opened. */
import { ConnectorError } from '../../std/errors.ts'
import type { ConnectorListing, ConnectorSummary, SkippedFolder } from '../wire/connector.ts'
import type { ConnectorFolders } from './folders.ts'
import { type Gist, gistOf } from './summary.ts'
import { readManifestFile, textOf } from './manifest-file.ts'

/** Remembers what it said of a text: checking two hundred manifests takes seconds, reading them does not. */
export function listingOf(folders: ConnectorFolders): () => Promise<ConnectorListing> {
  let known = new Map<string, Gist>()
  return async () => {
    const { named, others } = await folders.list()
    const connectors: ConnectorSummary[] = []
    const skipped: SkippedFolder[] = others.map((folder) => ({ folder, reason: badName }))
    const seen = new Map<string, Gist>()
    for (const name of named) {
      try {
        const manifest = await manifestOf(folders, name)
        if (manifest === null) continue
        const { version, changedAt } = manifest
        const gist = known.get(version) ?? gistOf(textOf(manifest))
        seen.set(version, gist)
        connectors.push({ name, version, changedAt: changedAt.toISOString(), ...gist })
      } catch (error) {
        if (!(error instanceof ConnectorError)) throw error
        skipped.push({ folder: name, reason: error.message })
      }
    }
    known = seen
    return { connectors, skipped }
  }
}

const badName = 'The name of a connector has lower-case letters, digits, `-` and `_`, at most 63.'

/** Null where there is none, also where there was one a moment ago. */
async function manifestOf(folders: ConnectorFolders, name: string) {
  const folder = await folders.find(name)
  return folder === null ? null : readManifestFile(folder)
}
