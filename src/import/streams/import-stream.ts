/** What a stream of the written connector is made of: an endpoint with its name, key, parents and pagination. */
import { isObject, type Members } from '../../std/values/objects.ts'
import type { DescribedInput, ListEndpoint, NamedText } from '../description.ts'
import type { PagingProposal } from '../pagination/propose.ts'
import type { IncrementalCandidate } from './incremental.ts'

export type ImportedStream = {
  readonly name: string
  readonly endpoint: ListEndpoint
  /** The field that identifies the record: of a child stream, within its parent. */
  readonly primaryKey: string | null
  /** Keys of the parents, the outermost first: written into each record, where its own key may be another record's of another parent. */
  readonly parentKeys: readonly ParentKey[]
  readonly parent: StreamParent | null
  /** Templates in the place of parameters. */
  readonly path: string
  readonly query: readonly NamedText[]
  readonly headers: readonly NamedText[]
  readonly body: { readonly key: 'request_body_json' | 'request_body_data'; readonly value: unknown } | null
  readonly recordPath: readonly string[]
  readonly schema: () => Members | null
  readonly paging: PagingProposal
  /** Said above the paginator: what was proposed, and whether the API confirmed it. */
  readonly pagingNote: string
  readonly incremental: readonly IncrementalCandidate[]
  /** Values that only the user knows. */
  readonly inputs: readonly DescribedInput[]
  readonly notes: readonly string[]
}

export type ParentKey = {
  /** The name in the record. */
  readonly field: string
  readonly template: string
  /** A text stays one: `007` is no number. */
  readonly isText: boolean
}

/** All fields of the primary key. */
export function wholeKey({ primaryKey, parentKeys }: Pick<ImportedStream, 'primaryKey' | 'parentKeys'>): string[] {
  return primaryKey === null ? [] : [...parentKeys.map(({ field }) => field), primaryKey]
}

/** The body without some of its fields. */
export function withoutNames(body: ImportedStream['body'], names: readonly string[]): ImportedStream['body'] {
  if (body === null || !isObject(body.value)) return body
  return { ...body, value: Object.fromEntries(Object.entries(body.value).filter(([name]) => !names.includes(name))) }
}

export type StreamParent = {
  readonly stream: string
  readonly key: string
  readonly field: string
}
