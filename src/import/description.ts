/** What OpenAPI documents, Postman collections and HAR files have in common: an API, and its endpoints that give lists of records. */
import type { Members } from '../std/values/objects.ts'

export type ApiDescription = {
  /** The name of the API, for people. */
  readonly title: string
  readonly baseUrl: string
  readonly auth: DescribedAuth
  /** Of server variables and credentials. */
  readonly inputs: readonly DescribedInput[]
  readonly endpoints: readonly ListEndpoint[]
  /** Paths that give a list; also those that have no stream: an item's path shows the key of its list. */
  readonly itemPaths: readonly string[]
  /** How many operations give no list of records. */
  readonly others: number
  readonly notes: readonly string[]
}

export type DescribedAuth = {
  /** As a manifest has it; null where nothing is sent, or nothing is known. */
  readonly authenticator: Members | null
  /** Further headers and parameters with credentials: templates. */
  readonly headers: readonly NamedText[]
  readonly query: readonly NamedText[]
  /** For people: `API key in the header X-Api-Key`. */
  readonly says: string
}

/** A name and a template. */
export type NamedText = readonly [name: string, text: string]

export type DescribedInput = {
  readonly name: string
  readonly title: string
  readonly isSecret: boolean
  readonly isRequired: boolean
  readonly fallback?: string
  readonly choices?: readonly string[]
}

export type ListEndpoint = {
  readonly method: 'GET' | 'POST'
  /** With parameters in braces: `/orders/{order_id}/items`. */
  readonly path: string
  /** Where it differs from that of the API. */
  readonly baseUrl: string | null
  readonly parameters: readonly DescribedParameter[]
  /** Headers as templates, query and body as values: of a recorded request. */
  readonly recorded: RecordedParts | null
  readonly bodyKind: 'json' | 'form' | null
  readonly list: DescribedList
  readonly responseHeaders: readonly DescribedHeader[]
  /** What the description says about it. */
  readonly words: string
  readonly isDeprecated: boolean
  readonly notes: readonly string[]
}

export type RecordedParts = {
  readonly query: readonly NamedText[]
  readonly headers: readonly NamedText[]
  readonly body: { readonly key: 'request_body_json' | 'request_body_data'; readonly value: unknown } | null
}

export type DescribedHeader = { readonly name: string; readonly words: string }

export type DescribedParameter = {
  readonly name: string
  readonly in: 'query' | 'header' | 'path' | 'body'
  readonly type: string | null
  readonly isRequired: boolean
  readonly fallback: string | number | boolean | null
  readonly choices: readonly string[]
  readonly minimum: number | null
  readonly maximum: number | null
  readonly words: string
}

export type DescribedList = {
  /** As `field_path` has it. */
  readonly path: readonly string[]
  /** The schema of a record, made when it is written; null where the description does not say it. */
  readonly schema: () => Members | null
  /** Names and types of the record's own fields. */
  readonly fields: readonly DescribedField[]
  /** What is next to the list: totals, cursors, links. */
  readonly envelope: readonly DescribedField[]
}

export type DescribedField = {
  readonly path: readonly string[]
  readonly type: string | null
  readonly format: string | null
  readonly isRequired: boolean
  readonly words: string
  /** In a list of links with relations: the member that holds the URL. */
  readonly inList?: 'href' | 'url'
}
