/** What of a connector is open: one of its streams, or one of the pages that every connector has. */
import type { StreamPlace } from '../../document/stream-paths.ts'

/** In the address with a dot before them (`?part=.inputs`), since a stream may be called anything. */
export const pages = ['base-url', 'authentication', 'inputs', 'versions', 'sync'] as const

export type PageName = (typeof pages)[number]

export type OutlinePart =
  | { readonly kind: 'stream'; readonly stream: StreamPlace }
  | { readonly kind: 'page'; readonly page: PageName }
  /** A connector without streams. */
  | { readonly kind: 'none' }

export const pageLabels: Readonly<Record<PageName, string>> = {
  'base-url': 'Base URL',
  authentication: 'Authentication',
  inputs: 'Inputs',
  versions: 'Versions',
  sync: 'Sync',
}

/** Whether it changes the manifest field by field. */
export function isForm(part: OutlinePart): boolean {
  return part.kind !== 'page' || (part.page !== 'versions' && part.page !== 'sync')
}

/** For `goTo({ part: partOf('inputs') })`. */
export function partOf(page: PageName): string {
  return `.${page}`
}

export function findPart(part: string | null, streams: readonly StreamPlace[]): OutlinePart {
  const stream = streams.find(({ name }) => name === part)
  if (stream !== undefined) return { kind: 'stream', stream }
  const page = pages.find((one) => part === partOf(one) || part === one)
  if (page !== undefined) return { kind: 'page', page }
  // A link to a stream that was renamed or deleted opens the connector all the same, at its first stream.
  return streams[0] === undefined ? { kind: 'none' } : { kind: 'stream', stream: streams[0] }
}
