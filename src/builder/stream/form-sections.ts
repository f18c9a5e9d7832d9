/** The sections of a stream's form, and where in the stream each of them is written. */
import { follow } from '../../document/follow.ts'
import type { Path } from '../../document/value-path.ts'

type FormSection = {
  readonly title: string
  /** What else it is searched by. */
  readonly words: string
  /** From the stream. An asynchronous stream has other names for the same. */
  readonly places: readonly Path[]
}

export const formSections: readonly FormSection[] = [
  {
    title: 'Request',
    words: 'url path method query parameters headers body',
    places: [
      ['retriever', 'requester'],
      ['retriever', 'creation_requester'],
    ],
  },
  {
    title: 'Records',
    words: 'selector extractor filter primary key response format decoder csv xml gzip',
    places: [
      ['retriever', 'record_selector'],
      ['retriever', 'decoder'],
      ['retriever', 'download_decoder'],
      ['primary_key'],
    ],
  },
  {
    title: 'Pagination',
    words: 'next page offset cursor limit page size',
    places: [
      ['retriever', 'paginator'],
      ['retriever', 'download_paginator'],
    ],
  },
  {
    title: 'Partitioning',
    words: 'slices parent substream list',
    places: [['retriever', 'partition_router']],
  },
  { title: 'Incremental sync', words: 'cursor field state start date', places: [['incremental_sync']] },
  {
    title: 'Error handling',
    words: 'retry retries backoff rate limit status ignore fail',
    places: [
      ['retriever', 'requester', 'error_handler'],
      ['retriever', 'creation_requester', 'error_handler'],
    ],
  },
  { title: 'Transformations', words: 'add remove rename fields flatten', places: [['transformations']] },
  { title: 'Schema', words: 'columns types fields', places: [['schema_loader']] },
]

/** Where the section is written; null where the stream has nothing of it. */
export function sectionPath(root: unknown, stream: Path, title: string): Path | null {
  const places = formSections.find((one) => one.title === title)?.places ?? []
  for (const place of places) {
    const { value, writtenAt } = follow(root, [...stream, ...place])
    if (value !== undefined) return writtenAt
  }
  return null
}

/** The section that has this place of the manifest; null where none has. */
export function sectionAt(root: unknown, stream: Path, at: Path): string | null {
  let nearest: { readonly title: string; readonly depth: number } | null = null
  for (const { title, places } of formSections) {
    for (const place of places) {
      const { value, writtenAt } = follow(root, [...stream, ...place])
      const isInside = value !== undefined && writtenAt.every((key, index) => key === at[index])
      if (isInside && writtenAt.length > (nearest?.depth ?? -1)) nearest = { title, depth: writtenAt.length }
    }
  }
  return nearest?.title ?? null
}
