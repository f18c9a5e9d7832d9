/** One API as plain data: how a page is requested, what it answers, and what it says about the pages around it. */

/** Rows of the table in docs/reliability-tests.md. */
export const kinds = [
  'offset, with a total',
  'offset, without a total',
  'page from 1, with total pages',
  'page from 1, without',
  'page from 0, with total pages',
  'page from 0, without',
  'cursor in the body',
  'cursor in a header',
  'Link header',
  'next URL, absolute',
  'next URL, relative',
  'next URL, nested',
  'OData',
  'HAL',
  'JSON:API',
  'integer next page',
  'start after, has more',
  'GraphQL',
  'not paginated',
] as const

/** What servers do that no standard foresees. Rows of the same table. */
export const oddKinds = [
  'needs the page number at once',
  'several tokens in one object',
  'another shape once it is paged',
  'refuses unknown columns',
  '_page, _limit, _start',
  'GraphQL, any variables',
  'strings or lists as records',
  'paging values in the request',
] as const

export type OddKind = (typeof oddKinds)[number]
export type Kind = (typeof kinds)[number] | OddKind

export type Shape = {
  readonly seed: number
  readonly kind: Kind
  readonly path: string
  readonly method: 'GET' | 'POST'
  /** What a user of detection knows. */
  readonly given: Given
  /** A header that every request must have. */
  readonly key: { readonly header: string; readonly value: string } | null
  readonly records: RecordShape
  /** Where the list is; empty when the body is the list. */
  readonly recordPath: readonly string[]
  /** What is around the records and has nothing to do with pages. */
  readonly beside: readonly Beside[]
  /** Null where one request brings everything. */
  readonly paging: Paging | null
  readonly says: readonly Said[]
  readonly next: Next | null
  /** What an unknown parameter gets: nothing, a 400 that names it, lists those that are known, takes it for a column, or says nothing. */
  readonly unknown: 'ignored' | 'named' | 'listed' | 'column' | 'vague'
  readonly quirk?: Quirk
}

export type Quirk =
  /** Refuses requests without a token: any, or those that name a size. */
  | { readonly kind: 'needs-token'; readonly when: 'always' | 'with-size'; readonly says: string }
  /** The next page is an object of several parameters; one that is missing gets the first page again, or a refusal. */
  | { readonly kind: 'tokens'; readonly further: Readonly<Record<string, string>>; readonly isStrict: boolean }
  /** A bare list without paging values: the first page of it, or all there is. */
  | { readonly kind: 'bare-unpaged'; readonly isWhole: boolean }
  /** Variables that must be there: GraphQL answers 200 with errors. */
  | { readonly kind: 'variables'; readonly required: readonly string[]; readonly declared: readonly string[] }
  /** Records that are no objects. */
  | { readonly kind: 'bare-values'; readonly as: 'strings' | 'numbers' | 'lists' }

export type Given = {
  readonly query: Readonly<Record<string, string>>
  readonly json: Readonly<Record<string, unknown>> | null
  readonly form: Readonly<Record<string, string>> | null
}

export type RecordShape = {
  readonly count: number
  readonly id: { readonly name: string; readonly kind: 'integer' | 'uuid' | 'text' } | null
  readonly order: 'ascending' | 'descending' | 'arbitrary'
  /** Fields in addition to the id, each made from the position of the record. */
  readonly fields: readonly { readonly name: string; readonly kind: FieldKind }[]
  readonly dress: 'plain' | 'json-api' | 'hal' | 'edge'
}

export type FieldKind =
  | 'name'
  | 'status'
  | 'amount'
  | 'time'
  | 'next-date'
  | 'next-number'
  | 'small-number'
  | 'flag'
  | 'token'
  | 'url'
  | 'list'
  | 'long-text'

export type Beside = { readonly path: readonly string[]; readonly value: unknown; readonly isFirst: boolean }

export type Placed = {
  readonly into: 'request_parameter' | 'header' | 'body_json' | 'body_data'
  /** One name, or the way to it in a JSON body. */
  readonly path: readonly string[]
}

export type Paging = {
  readonly token: Token
  readonly size: {
    /** Null where the API alone decides. */
    readonly placed: Placed | null
    readonly usual: number
    readonly most: number
    readonly above: 'capped' | 'refused'
  }
  readonly pastEnd: 'empty' | 'not-found' | 'clamped'
}

/** `path`: the position is part of the address that a page names, and no parameter at all. */
export type Token =
  | { readonly counts: 'page'; readonly placed: Placed; readonly first: 0 | 1; readonly zero: 'alike' | 'refused' }
  | { readonly counts: 'offset'; readonly placed: Placed }
  | { readonly counts: 'cursor'; readonly placed: Placed; readonly cursor: 'opaque' | 'signed' | 'number' }
  | { readonly counts: 'after'; readonly placed: Placed }
  | { readonly counts: 'path' }

export type Place = readonly [from: 'body' | 'header', ...names: string[]]

export type Said = {
  readonly at: Place
  readonly what:
    | 'total'
    | 'pages'
    | 'page'
    | 'offset'
    | 'size'
    | 'count'
    | 'has-more'
    | 'self-url'
    | 'first-url'
    | 'last-url'
    | 'previous-url'
}

export type Next = {
  readonly at: Place
  /** `token`: what the token's parameter takes. Links: whole, without host, or the query alone; `link-header` is RFC 8288. */
  readonly as: 'token' | 'tokens' | 'url' | 'path' | 'query' | 'link-header'
  /** What is there on the last page; `stays`: a token that leads to an empty page. */
  readonly atEnd: 'null' | 'absent' | 'blank' | 'stays'
  /** Whether a link is refused once its query was changed. */
  readonly isSigned: boolean
}

/** Whether records are after the first page, so that it can be found out how they are reached. */
export function hasMorePages({ paging, records }: Shape): boolean {
  return paging !== null && records.count > paging.size.usual
}
