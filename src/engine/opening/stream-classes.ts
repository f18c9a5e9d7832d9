/** A stream's plan → the classes of the connector's own that its records pass through. */
import type { Wanted } from '../custom/component.ts'
import type { FilterPlan, SelectorPlan } from '../plan/selector.ts'
import type { TransformationPlan } from '../plan/transformations.ts'
import { RecordExtractor, RecordFilter, RecordTransformation } from '../records/record-classes.ts'
import { SchemaNormalization } from '../records/schema-classes.ts'

export function selectorClasses({ extractor, filter, transformations, normalization }: SelectorPlan): Wanted[] {
  return [
    ...(extractor.kind === 'custom' ? [[extractor, RecordExtractor] as const] : []),
    ...filterClasses(filter),
    ...changeClasses(transformations),
    ...(normalization.kind === 'custom' ? [[normalization, SchemaNormalization] as const] : []),
  ]
}

export function filterClasses(filter: FilterPlan | null): Wanted[] {
  return filter?.kind === 'custom' ? [[filter, RecordFilter]] : []
}

export function changeClasses(transformations: readonly TransformationPlan[]): Wanted[] {
  return transformations.flatMap((plan) => (plan.kind === 'custom' ? [[plan, RecordTransformation] as const] : []))
}
