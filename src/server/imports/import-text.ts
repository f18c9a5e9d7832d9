/** The text of a description → its streams, and the manifest of those that were chosen. */
import { chooseImported } from '../../import/choose-streams.ts'
import { connectorOf, descriptionKind, openDescription, reportOf } from '../../import/import-api.ts'
import type { ImportResult } from '../wire/import.ts'

export type ImportJob = {
  readonly kind: 'import'
  readonly text: string
  /** Where it was fetched from. */
  readonly url: string | null
  readonly only: readonly string[] | null
}

export function importText({ text, url, only }: ImportJob): ImportResult {
  const kind = descriptionKind(text)
  const opened = openDescription(kind, text, url)
  const { title, name, baseUrl, authentication, notes, streams } = reportOf(opened.api, opened.streams, 0)
  return {
    kind,
    title,
    name,
    baseUrl,
    authentication,
    notes: [...notes],
    streams: streams.map((stream) => ({
      name: stream.name,
      method: stream.method,
      path: stream.path,
      parent: stream.parent,
      pagination: stream.pagination.says,
    })),
    manifest: only === null ? null : connectorOf(opened, chooseImported(opened.streams, { only, all: true })).manifest,
  }
}
