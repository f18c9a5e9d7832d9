/** What the engine will do with one stream, every default filled in: plain data that prints as JSON and holds no secret. */
import type { SourceLocation } from '../../std/errors.ts'
import type { CustomPlan } from '../custom/component.ts'
import type { Template } from '../template/template.ts'
import type { AuthPlan } from './auth-plan.ts'
import type { CursorPlan, MigrationPlan } from './cursor-plan.ts'
import type { DecoderPlan } from './decoder.ts'
import type { ErrorPlan } from './error-plan.ts'
import type { JobPlan } from './job-plan.ts'
import type { PaginationPlan } from './pagination-plan.ts'
import type { PropertiesPlan } from './properties-plan.ts'
import type { RouterPlan } from './router-plan.ts'
import type { SchemaPlan } from './schema-plan.ts'
import type { SelectorPlan } from './selector-plan.ts'

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

export type SlicingPlan = {
  /** Several are combined, each with each; the first changes slowest. */
  readonly routers: readonly RouterPlan[]
  readonly cursor: CursorPlan | null
  /** Applied to an older state one after the other, before the cursor goes on from it. */
  readonly migrations: readonly MigrationPlan[]
}
