/** Which properties of its records a stream asks for by name, and in which groups. */
import type { SourceLocation } from '../../std/errors.ts'
import type { Component } from '../manifest/manifest.ts'
import type { Template } from '../template/template.ts'
import type { Parameters } from './plan.ts'
import type { TransformationPlan } from './selector-plan.ts'

export type PropertiesPlan = {
  /** The query parameter that carries them; null where the author's templates do. */
  readonly parameter: string | null
  readonly source: readonly string[] | PropertyEndpointPlan
  /** In every group. */
  readonly always: readonly string[]
  /** Null asks for all of them at once. */
  readonly chunking: ChunkingPlan | null
  /** Asks only for the properties that the schema has. */
  readonly selection: { readonly transformations: readonly TransformationPlan[] } | null
  readonly at: SourceLocation
}

/** The API names its properties itself: one in each record. */
export type PropertyEndpointPlan = {
  readonly retriever: Component
  readonly path: readonly Template[]
  readonly parameters: Parameters
}

export type ChunkingPlan = {
  readonly unit: 'properties' | 'characters'
  /** Null is no limit. */
  readonly limit: number | null
  /** Fields that tell which records of two groups are one. */
  readonly mergeBy: readonly string[]
}
