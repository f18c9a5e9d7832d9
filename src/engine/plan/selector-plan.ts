/** How records are found in an answer, kept, changed and made to fit. */
import type { SourceLocation } from '../../std/errors.ts'
import type { CustomPlan } from '../custom/component.ts'
import type { Template } from '../template/template.ts'
import type { Parameters } from './plan.ts'

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
