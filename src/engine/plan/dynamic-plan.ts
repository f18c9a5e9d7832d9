/** What a `DynamicDeclarativeStream` will do: where its values come from, and where each goes in the template. */
import type { SourceLocation } from '../../std/errors.ts'
import type { Component } from '../manifest/manifest.ts'
import type { Template } from '../template/template.ts'
import type { Parameters } from './plan.ts'
import type { ValueType } from './selector-plan.ts'

export type DynamicPlan = {
  /** What a check may ask for; the streams made have names of their own. */
  readonly name: string
  readonly template: Component
  /** Which of two parameters of one name counts below the stream: what a mapping set at its top, unless told otherwise. */
  readonly precedence: 'own' | 'inherited'
  readonly values: ValuesPlan
  readonly mappings: readonly MappingPlan[]
  readonly parameters: Parameters
  readonly at: SourceLocation
}

/** One stream for each record of an API, each member of lists in the config, or each entry of the manifest. */
export type ValuesPlan =
  | { readonly from: 'http'; readonly stream: Component }
  | { readonly from: 'config'; readonly lists: readonly ConfigListPlan[] }
  | { readonly from: 'manifest'; readonly entries: readonly Readonly<Record<string, unknown>>[] }

export type ConfigListPlan = {
  readonly path: readonly Template[]
  /** Members besides those of the config. */
  readonly extra: readonly unknown[]
  readonly parameters: Parameters
  readonly at: SourceLocation
}

export type MappingPlan = {
  /** Names may be patterns: `*`, `**`. */
  readonly path: readonly Template[]
  readonly value: Template
  readonly type: ValueType | null
  readonly onlyIf: Template | null
  /** Whether a place that the template lacks is made. */
  readonly creates: boolean
  readonly parameters: Parameters
  readonly at: SourceLocation
}
