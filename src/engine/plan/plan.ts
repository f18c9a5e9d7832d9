/** What the engine will do with one stream, every default filled in: plain data that prints as JSON and holds no secret. */
import type { FailureType, SourceLocation } from '../../errors.ts'
import type { CustomPlan } from '../custom/component.ts'
import type { JobPlan } from './job-plan.ts'
import type { RouterPlan } from './router-plan.ts'
import type { Template } from '../template/template.ts'
import type { CursorPlan, MigrationPlan } from './cursor-plan.ts'
import type { DecoderPlan } from './decoder.ts'
import type { AuthPlan } from './auth-plan.ts'
import type { PropertiesPlan } from './properties-plan.ts'
import type { SchemaPlan } from './schema-plan.ts'

export type Config = Readonly<Record<string, unknown>>
export type JsonRecord = Record<string, unknown>
export type JsonSchema = Readonly<Record<string, unknown>>

/** The `$parameters` that templates of one component see. */
export type Parameters = Readonly<Record<string, unknown>>

export type StreamPlan = {
  readonly name: string
  readonly at: SourceLocation
  /** One path per key field; empty when the stream names none. */
  readonly primaryKey: readonly (readonly string[])[]
  readonly schema: SchemaPlan
  /** What prepares the records, where the API does so on request: requester, pagination and selector are the download's. */
  readonly job: JobPlan | null
  /** The connector's own class that reads the slices, in place of the usual page loop. */
  readonly retriever: CustomPlan | null
  readonly requester: RequesterPlan
  readonly decoder: DecoderPlan
  /** Properties that requests name; null where they ask for whatever there is. */
  readonly properties: PropertiesPlan | null
  readonly selector: SelectorPlan
  readonly pagination: PaginationPlan
  readonly slicing: SlicingPlan
  readonly reset: ResetPlan
  /** Whether its records name files to fetch, which is not done yet. */
  readonly hasFiles: boolean
  /** Airbyte: `ignore_stream_slicer_parameters_on_paginated_requests`. */
  readonly sliceOptionsOnFirstPageOnly: boolean
}

/** What becomes of a slice whose pages must start again. */
export type ResetPlan = {
  /** Where the stream has a cursor of time, the slice shrinks to what lies behind the newest record seen. */
  readonly splits: boolean
  /** So many records after the last start, the pages start again; null when only an answer asks for it. */
  readonly maxRecords: number | null
  readonly at: SourceLocation
}

/** Where in a request a value goes. */
export type Placement =
  | { readonly into: 'query' | 'header' | 'form'; readonly name: string }
  | { readonly into: 'json'; readonly path: readonly string[] }
  | { readonly into: 'path' }

export type RequesterPlan = {
  readonly method: string
  /** The author's address without the stream's own path. */
  readonly base: Template
  readonly path: Template | null
  readonly query: FieldsPlan | null
  readonly headers: FieldsPlan | null
  readonly body: BodyPlan
  readonly auth: AuthPlan
  readonly errors: ErrorPlan
  readonly parameters: Parameters
  /** Other streams of a run may be given the same answers: this one is, or has, a parent. */
  readonly reuses: boolean
  /** A class of the connector's own that changes what the fields above say. */
  readonly custom?: CustomPlan
}

/** Names and values of a query, of headers or of a form; a single template must give them all. */
export type FieldsPlan = readonly FieldPlan[] | Template
export type FieldPlan = { readonly name: Template; readonly value: Template }

/** JSON whose texts, keys included, are templates. */
export type JsonPlan =
  | { readonly kind: 'template'; readonly template: Template }
  | { readonly kind: 'literal'; readonly value: unknown }
  | { readonly kind: 'list'; readonly items: readonly JsonPlan[] }
  | { readonly kind: 'object'; readonly members: readonly { readonly key: Template; readonly value: JsonPlan }[] }

export type BodyPlan =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly value: JsonPlan }
  | { readonly kind: 'form'; readonly fields: FieldsPlan }
  | { readonly kind: 'text'; readonly value: Template }

export type { AuthPlan }

/** What answers mean, how often to ask again, and how long to wait before. */
export type ErrorPlan = {
  readonly rules: ErrorRules
  /** Tries after the first one. */
  readonly maxRetries: number
  /** The first that knows a wait is followed, whatever the failure; when none does, the server's own word counts. */
  readonly waits: readonly WaitPlan[]
}

export type ErrorRules =
  /** The first filter that matches decides; when none does, the status. */
  | { readonly kind: 'filters'; readonly filters: readonly ResponseFilter[] }
  /** The class is asked first; what it has no opinion on, its own filters decide. */
  | { readonly kind: 'custom'; readonly custom: CustomPlan; readonly otherwise: ErrorRules }
  /** Asked one after the other until one accepts, ignores or asks again; otherwise the last one's word stands. */
  | { readonly kind: 'in-turn'; readonly members: readonly ErrorRules[] }

/** `reset`: the pages of the slice start again; `refresh`: a new token is fetched before the next try. */
export type ResponseAction = 'accept' | 'ignore' | 'retry' | 'rate-limited' | 'refresh' | 'reset' | 'fail'

export type ResponseFilter = {
  readonly action: ResponseAction
  /** Each of the three is enough to match. */
  readonly statuses: readonly number[]
  readonly when: Template | null
  readonly saying: string | null

  readonly message: Template | null
  readonly failureType: FailureType | null
  readonly parameters: Parameters
  readonly at: SourceLocation
}

export type WaitPlan =
  | { readonly kind: 'constant'; readonly seconds: number; readonly jitterSeconds: number }
  /** Doubled with every try: twice the factor after the first. */
  | { readonly kind: 'exponential'; readonly factor: number; readonly jitterSeconds: number }
  /** The header holds seconds to wait. */
  | ({ readonly kind: 'for-header' } & WaitHeader)
  /** The header holds seconds since 1970. */
  | ({ readonly kind: 'until-header'; readonly minSeconds: number | null } & WaitHeader)
  | { readonly kind: 'custom'; readonly custom: CustomPlan }

export type WaitHeader = {
  readonly header: string
  /** What the header starts with, if this matches, is the number. */
  readonly pattern: string | null
  /** A wait this long or longer ends the read. */
  readonly maxSeconds: number | null
}

export type SelectorPlan = {
  readonly extractor: ExtractorPlan
  readonly filter: FilterPlan | null
  readonly transformations: readonly TransformationPlan[]
  readonly transformFirst: boolean
  /** Whether, and by whom, values are made to fit the stream's schema. */
  readonly normalization: NormalizationPlan
}

export type ExtractorPlan =
  | {
      readonly kind: 'path'
      /** Names to follow into the response; `*` stands for every member. */
      readonly path: readonly Template[]
      readonly expansion: ExpansionPlan | null
      readonly parameters: Parameters
    }
  | ({ readonly kind: 'custom' } & CustomPlan)

/** What was extracted is replaced by the items of the lists inside it. */
export type ExpansionPlan = {
  readonly path: readonly Template[]
  /** Whether each item carries what it was found in, as `original_record`. */
  readonly keepsOriginal: boolean
  /** Whether what holds no item is a record itself. */
  readonly keepsEmpty: boolean
  readonly parameters: Parameters
}

export type FilterPlan =
  | { readonly kind: 'condition'; readonly keepIf: Template; readonly parameters: Parameters }
  | ({ readonly kind: 'custom' } & CustomPlan)

export type NormalizationPlan =
  | { readonly kind: 'none' }
  /** Each value is cast to the type that the schema gives its field. */
  | { readonly kind: 'cast' }
  | ({ readonly kind: 'custom' } & CustomPlan)

export type TransformationPlan =
  | AddFieldsPlan
  | RemoveFieldsPlan
  | { readonly kind: 'keys-to-lower' }
  | { readonly kind: 'keys-to-snake-case' }
  | ReplaceInKeysPlan
  | { readonly kind: 'flatten'; readonly lists: boolean }
  | FlattenAtPlan
  | ({ readonly kind: 'custom' } & CustomPlan)

export type AddFieldsPlan = {
  readonly kind: 'add'
  readonly fields: readonly AddedFieldPlan[]
  readonly onlyIf: Template | null
  readonly parameters: Parameters
}

export type AddedFieldPlan = {
  readonly at: SourceLocation
  readonly path: readonly string[]
  readonly value: Template
  readonly type: ValueType | null
  readonly parameters: Parameters
}

export type RemoveFieldsPlan = {
  readonly kind: 'remove'
  readonly paths: readonly (readonly string[])[]
  readonly onlyIf: Template | null
}

export type ReplaceInKeysPlan = {
  readonly kind: 'replace-in-keys'
  readonly old: Template
  readonly new: Template
  readonly parameters: Parameters
}

/** The fields of the object at a path become fields of the record. */
export type FlattenAtPlan = {
  readonly kind: 'flatten-at'
  readonly path: readonly Template[]
  readonly deletesOrigin: boolean
  readonly replacesRecord: boolean
  readonly prefix: Template | null
  readonly suffix: Template | null
  readonly parameters: Parameters
}

export type ValueType = 'string' | 'number' | 'integer' | 'boolean'

export type PaginationPlan =
  | { readonly kind: 'none' }
  | ({ readonly kind: 'offset'; readonly pageSize: OffsetPageSize; readonly injectOnFirst: boolean } & Injection)
  | ({
      readonly kind: 'page'
      readonly pageSize: number | null
      readonly firstPage: number
      readonly injectOnFirst: boolean
    } & Injection)
  | ({
      readonly kind: 'cursor'
      readonly value: Template
      readonly stopWhen: Template | null
    } & Injection)
  | ({ readonly kind: 'custom' } & CustomPlan & Injection)

/** Airbyte evaluates an offset's page size against each response; the other methods know theirs beforehand. */
export type OffsetPageSize = number | Template | null

/** How the values of one page reach its request. */
export type Injection = {
  readonly at: SourceLocation
  readonly token: Placement | null
  /** The value is null when the connector's own class knows it. */
  readonly size: { readonly placement: Placement; readonly value: number | string | null } | null
  readonly parameters: Parameters
}

export type SlicingPlan = {
  /** Several are combined, each with each; the first changes slowest. */
  readonly routers: readonly RouterPlan[]
  readonly cursor: CursorPlan | null
  /** Applied to an older state one after the other, before the cursor goes on from it. */
  readonly migrations: readonly MigrationPlan[]
}

/** One slice per value of a list. */
export type ListPlan = {
  readonly kind: 'list'
  readonly values: Template | readonly unknown[]
  readonly field: string
  readonly placement: Placement | null
  readonly parameters: Parameters
  readonly at: SourceLocation
}
