/** Where the schema of a stream's records comes from. */
import type { SourceLocation } from '../../std/errors.ts'
import type { CustomPlan } from '../custom/component.ts'
import type { Component } from '../manifest/manifest.ts'
import type { Template } from '../template/template.ts'
import type { JsonSchema, Parameters } from './plan.ts'
import type { FilterPlan, TransformationPlan } from './selector-plan.ts'

export type SchemaPlan =
  | { readonly kind: 'inline'; readonly schema: JsonSchema; readonly at: SourceLocation }
  | FileSchemaPlan
  | DynamicSchemaPlan
  | ({ readonly kind: 'custom' } & CustomPlan)
  /** The first that knows a property describes it. */
  | { readonly kind: 'merged'; readonly members: readonly SchemaPlan[] }

/** A file in the connector's folder. */
export type FileSchemaPlan = {
  readonly kind: 'file'
  readonly path: Template
  readonly parameters: Parameters
  /** Nobody named the file: it is looked for, and not missed. */
  readonly isOptional: boolean
  readonly at: SourceLocation
}

/** The API describes its own fields: one property for each description in the first record. */
export type DynamicSchemaPlan = {
  readonly kind: 'dynamic'
  readonly retriever: Component
  /** Where in the record the descriptions are, and where in each its name and its type. */
  readonly fieldsPath: readonly Template[]
  readonly namePath: readonly Template[]
  /** Without one every field is a text. */
  readonly typePath: readonly Template[] | null
  readonly types: readonly TypeRule[]
  readonly filter: FilterPlan | null
  readonly transformations: readonly TransformationPlan[]
  readonly parameters: Parameters
  readonly at: SourceLocation
}

/** The API's word for a type → Airbyte's. */
export type TypeRule = {
  readonly from: string | readonly string[]
  readonly to: FieldType | readonly string[]
  readonly onlyIf: Template | null
}

export type FieldType = string | { readonly type: string; readonly items: FieldType | null }
