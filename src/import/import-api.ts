/** The entry point: the text of a description → a connector's manifest, and a report of what was found. */
import { loadManifest } from '../connector/load-manifest.ts'
import { ConnectorError, hasCode } from '../std/errors.ts'
import type { ApiDescription, DescribedInput } from './description.ts'
import { chooseImported, type StreamSelection } from './choose-streams.ts'
import type { PagingProposal } from './pagination/propose.ts'
import { readHar } from './har/read-har.ts'
import { readOpenApi } from './openapi/read-openapi.ts'
import { readPostman } from './postman/read-postman.ts'
import { type ImportedStream, wholeKey } from './streams/import-stream.ts'
import type { IncrementalCandidate } from './streams/incremental.ts'
import { makeStreams } from './streams/make-streams.ts'
import { importedManifest, importedInputs } from './write-manifest.ts'

export type DescriptionKind = 'openapi' | 'postman' | 'har'

/** What was found, for people and programs. */
export type ImportReport = {
  readonly title: string
  /** For a folder: `swagger_petstore`. */
  readonly name: string
  readonly baseUrl: string
  readonly authentication: string
  readonly inputs: readonly DescribedInput[]
  readonly streams: readonly ReportedStream[]
  /** Lists that were found and not chosen. */
  readonly leftOut: number
  /** Operations that give no list of records. */
  readonly otherOperations: number
  readonly notes: readonly string[]
}

export type ReportedStream = {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly recordPath: readonly string[]
  /** A list of names where a child's key is one within its parent only. */
  readonly primaryKey: string | readonly string[] | null
  readonly parent: string | null
  readonly pagination: {
    readonly method: PagingProposal['method']
    readonly says: string
    readonly because: string
    /** `unconfirmed` until the API was asked. */
    readonly status: 'unconfirmed' | 'confirmed' | 'corrected' | 'cannot-tell' | 'not-asked'
    readonly evidence: readonly string[]
  }
  readonly incremental: readonly IncrementalCandidate[]
  readonly inputs: readonly string[]
  readonly notes: readonly string[]
}

/** A description as it was read, with all streams that it has. */
export type OpenedDescription = {
  readonly kind: DescriptionKind
  readonly api: ApiDescription
  readonly streams: readonly ImportedStream[]
}

export function openDescription(kind: DescriptionKind, text: string, documentUrl: string | null): OpenedDescription {
  const { api, streams } = notTooDeep(() => {
    const read = readers[kind](text, documentUrl)
    return { api: read, streams: makeStreams(read) }
  })
  if (streams.length === 0) throw noLists(kind, api)
  return { kind, api, streams }
}

/** JSON may nest as deep as it likes, also in the body of a request that is part of it. */
function notTooDeep<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new ConnectorError('import/too-large', 'The description nests too deeply.', { cause: error })
  }
}

const readers: Readonly<Record<DescriptionKind, (text: string, documentUrl: string | null) => ApiDescription>> = {
  openapi: readOpenApi,
  postman: readPostman,
  har: readHar,
}

function noLists(kind: DescriptionKind, { others }: ApiDescription): ConnectorError {
  const why =
    others === 0
      ? 'it has no operations'
      : `none of its ${others} ${kind === 'har' ? 'responses' : 'operations'} gives a list of objects`
  return new ConnectorError('import/no-streams', `No list of records was found: ${why}.`)
}

export type ImportedConnector = { readonly manifest: string; readonly report: ImportReport }

/** Throws where the manifest would be too large, so that nothing is written that cannot be read. */
export function importConnector(
  { kind, api, streams }: OpenedDescription,
  selection: StreamSelection,
): ImportedConnector {
  const chosen = chooseImported(streams, selection)
  return connectorOf({ kind, api, streams }, chosen)
}

export function connectorOf(
  { kind, api, streams }: OpenedDescription,
  chosen: readonly ImportedStream[],
): ImportedConnector {
  const manifest = importedManifest(api, chosen, kind)
  refuseUnreadable(manifest)
  return { manifest, report: reportOf(api, chosen, streams.length - chosen.length) }
}

function refuseUnreadable(manifest: string): void {
  try {
    loadManifest(manifest)
  } catch (cause) {
    if (!hasCode(cause, 'manifest/too-large')) throw cause
    const hint = 'Choose fewer streams with --only; it takes patterns such as orders*.'
    throw new ConnectorError('import/too-large', 'One manifest cannot hold that many streams.', { hint, cause })
  }
}

export function reportOf(api: ApiDescription, chosen: readonly ImportedStream[], leftOut: number): ImportReport {
  return {
    title: api.title,
    name: folderName(api.title),
    baseUrl: api.baseUrl,
    authentication: api.auth.says,
    inputs: importedInputs(api, chosen),
    streams: chosen.map(reportedStream),
    leftOut,
    otherOperations: api.others,
    notes: api.notes,
  }
}

function reportedStream(stream: ImportedStream): ReportedStream {
  const { name, endpoint, recordPath, parent, paging, incremental, inputs, notes } = stream
  return {
    name,
    method: endpoint.method,
    path: endpoint.path,
    recordPath,
    primaryKey: stream.parentKeys.length === 0 ? stream.primaryKey : wholeKey(stream),
    parent: parent?.stream ?? null,
    pagination: {
      method: paging.method,
      says: paging.says,
      because: paging.because,
      status: 'unconfirmed',
      evidence: [],
    },
    incremental,
    inputs: inputs.map((one) => one.name),
    notes,
  }
}

function folderName(title: string): string {
  const name = title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60)
    .replace(/-+$/, '')
  return name === '' ? 'api' : name
}

/** The kind of a description, by its first keys. What is none of them is taken for OpenAPI, whose reader says what it is instead. */
export function descriptionKind(text: string): DescriptionKind {
  const start = text.slice(0, beginning)
  if (/^\s*\{/.test(start)) {
    if (isPostman(start)) return 'postman'
    if (/^\s*\{\s*"log"\s*:/.test(start)) return 'har'
  }
  return 'openapi'
}

/** Far enough for the first keys of any of them. */
const beginning = 100_000

function isPostman(start: string): boolean {
  const hasRequests = /"(?:_postman_id|item)"\s*:/.test(start) && /"info"\s*:/.test(start)
  return hasRequests && !/"(?:openapi|swagger)"\s*:\s*"/.test(start)
}
