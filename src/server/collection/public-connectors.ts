/** The collection of public manifests that the server was started with: searched, and copied from. */
import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { isRepository } from '../../collections/checkout.ts'
import { findPublicConnector, searchCollection } from '../../collections/collection.ts'
import { type OpenedCollection, copySchemas, openCollection, publicFiles } from '../../collections/open-collection.ts'
import { ConnectorError } from '../../std/errors.ts'
import type { Connectors } from '../connectors/connectors.ts'
import type { FoundConnectors, PublicCopy } from '../wire/collection.ts'
import type { SavedConnector } from '../wire/connector.ts'

export type PublicConnectors = {
  readonly search: (text: string) => Promise<FoundConnectors>
  readonly copy: (wanted: PublicCopy) => Promise<SavedConnector>
}

const mostShown = 50
/** A folder may get more; a listing of hundreds takes about a second. */
const knownForMs = 60_000

type PublicConnectorsOptions = {
  readonly home: string
  /** A folder or a repository; null where none is configured. */
  readonly from: string | null
  readonly connectors: Connectors
}

export function openPublicConnectors({ home, from, connectors }: PublicConnectorsOptions): PublicConnectors {
  let known: { readonly collection: Promise<OpenedCollection>; readonly since: number } | null = null

  /** One fetch for all who ask meanwhile; it continues when they leave. */
  function open(configured: string): Promise<OpenedCollection> {
    if (known === null || Date.now() - known.since > knownForMs) {
      const collection = openCollection(configured, { home })
      known = { collection, since: Date.now() }
      collection.catch(() => {
        known = null
      })
    }
    return known.collection
  }

  return {
    async search(text) {
      if (from === null) return { from: null, total: 0, matching: 0, connectors: [] }
      const { connectors: all, from: shown } = await open(from)
      const matching = searchCollection(all, text)
      return {
        // The folders of this machine are none of the client's business.
        from: isRepository(from) ? shown : basename(shown),
        total: all.length,
        matching: matching.length,
        connectors: matching.slice(0, mostShown).map(({ name, title, licence, documentation }) => ({
          name,
          title,
          licence,
          documentation,
        })),
      }
    },

    async copy({ of, name }) {
      if (from === null) throw new ConnectorError('collections/none', 'No collection of connectors is configured.')
      const collection = await open(from)
      const connector = findPublicConnector(collection.connectors, of)
      await collection.complete(connector)
      const shown = isRepository(from) ? collection.from : basename(from)
      const files = await publicFiles(connector, shown)
      const saved = await connectors.create(name, files['manifest.yaml'])
      const folder = await connectors.folderOf(name)
      await writeFile(join(folder, 'README.md'), files['README.md'])
      if (connector.folder !== null) await copySchemas(connector.folder, folder)
      return saved
    },
  }
}
