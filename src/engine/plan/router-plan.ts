/** How a stream is cut into partitions: by a list, by the records of parent streams, by groups or unions of those. */
import type { SourceLocation } from '../../std/errors.ts'
import type { CustomPlan } from '../custom/component.ts'
import type { Template } from '../template/template.ts'
import type { Parameters, Placement, StreamPlan } from './plan.ts'

export type RouterPlan = ListPlan | ParentsPlan | GroupPlan | UnionPlan | CustomRouterPlan

/** One slice per value of a list. */
export type ListPlan = {
  readonly kind: 'list'
  readonly values: Template | readonly unknown[]
  readonly field: string
  readonly placement: Placement | null
  readonly parameters: Parameters
  readonly at: SourceLocation
}

/** One partition per record of each parent, one parent after the other. */
export type ParentsPlan = {
  readonly kind: 'parents'
  readonly parents: readonly ParentPlan[]
  readonly at: SourceLocation
}

export type ParentPlan = {
  readonly stream: StreamPlan
  /** Where the parent's record holds the value of the partition. */
  readonly key: readonly string[]
  /** What the value is called in the partition. */
  readonly field: string
  readonly placement: Placement | null
  /** Paths of further fields that the child's templates may use. */
  readonly extraFields: readonly (readonly string[])[]
  /** Where the parent's record already holds the child's first page. */
  readonly firstPage: readonly string[] | null
  /** Only the parents that changed since the last read are followed. */
  readonly isIncremental: boolean
  readonly at: SourceLocation
}

/** Partitions in batches: each value is a list. */
export type GroupPlan = {
  readonly kind: 'group'
  readonly size: number
  readonly router: RouterPlan
  readonly dropsRepeated: boolean
  readonly at: SourceLocation
}

/** The partitions of several routers that agree on one field, each value once. */
export type UnionPlan = {
  readonly kind: 'union'
  readonly field: string
  readonly routers: readonly RouterPlan[]
  readonly at: SourceLocation
}

/** The connector's own class, with the parents its manifest names. */
export type CustomRouterPlan = {
  readonly kind: 'custom'
  readonly custom: CustomPlan
  readonly parents: readonly ParentPlan[]
  readonly at: SourceLocation
}
