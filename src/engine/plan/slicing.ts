/** `partition_router` and `incremental_sync` → how a stream is cut into slices, its parents planned with it. */
import { ConnectorError, type SourceLocation } from '../../std/errors.ts'
import type { CustomPlan } from '../custom/component.ts'
import type { Component } from '../manifest/manifest.ts'
import type { Template } from '../template/template.ts'
import { type CursorPlan, type MigrationPlan, planCursor, planMigrations } from './cursor.ts'
import type { Parameters, Placement } from './plan.ts'
import type { StreamPlan } from './stream.ts'
import {
  compileAt,
  componentIn,
  componentsIn,
  numberIn,
  parametersOf,
  placementIn,
  planCustom,
  type PlanInput,
  requiredComponentIn,
  textIn,
  evaluatedText,
  unsupported,
} from './read-fields.ts'

export type SlicingPlan = {
  /** Several are combined, each with each; the first changes slowest. */
  readonly routers: readonly RouterPlan[]
  /** Whether the manifest has a list of routers, if only of one. */
  readonly isListOfRouters: boolean
  readonly cursor: CursorPlan | null
  /** Applied to an older state one after the other, before the cursor resumes from it. */
  readonly migrations: readonly MigrationPlan[]
}

export function planSlicing(input: RouterInput, stream: Component, retriever: Component): SlicingPlan {
  const cursor = componentIn(stream, 'incremental_sync')
  return {
    routers: componentsIn(retriever, 'partition_router').map((router) => planRouter(input, router)),
    isListOfRouters: Array.isArray(retriever.partition_router),
    cursor: cursor === null ? null : planCursor(input, cursor, retriever),
    migrations: planMigrations(input, stream, retriever),
  }
}

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

/** A custom class, with the parents that its manifest names. */
export type CustomRouterPlan = {
  readonly kind: 'custom'
  readonly custom: CustomPlan
  readonly parents: readonly ParentPlan[]
  readonly at: SourceLocation
}

/** Parents are streams: the planner of streams is handed in, since it plans routers too. */
export type RouterInput = PlanInput & { readonly planParent: (stream: Component) => StreamPlan }

function planRouter(input: RouterInput, router: Component): RouterPlan {
  const at = input.manifest.at(router)
  switch (router.type) {
    case 'ListPartitionRouter':
      return planList(input, router)
    case 'SubstreamPartitionRouter':
      return { kind: 'parents', parents: planParents(input, router), at }
    case 'GroupingPartitionRouter':
      return planGroup(input, router)
    case 'UnionPartitionRouter': {
      const routers = componentsIn(router, 'partition_routers').map((member) => planUnsent(input, router, member))
      return { kind: 'union', field: textIn(input, router, 'partition_field') ?? '', routers, at }
    }
    case 'CustomPartitionRouter':
      return { kind: 'custom', custom: planCustom(input, router), parents: planParents(input, router), at }
    default:
      throw unsupported(input, router)
  }
}

function planList(input: PlanInput, router: Component): ListPlan {
  const { values } = router
  return {
    kind: 'list',
    values: typeof values === 'string' ? compileAt(values, input.manifest.at(router, 'values')) : (values as unknown[]),
    field: textIn(input, router, 'cursor_field') ?? '',
    placement: placementIn(input, router, 'request_option'),
    parameters: parametersOf(router),
    at: input.manifest.at(router),
  }
}

function planGroup(input: RouterInput, router: Component): GroupPlan {
  const size = numberIn(input, router, 'group_size') ?? 0
  if (!Number.isInteger(size) || size < 1) {
    const message = `\`group_size\` is ${size}; it must be at least 1.`
    throw new ConnectorError('plan/invalid-number', message, { at: input.manifest.at(router, 'group_size') })
  }
  return {
    kind: 'group',
    size,
    router: planUnsent(input, router, requiredComponentIn(input, router, 'underlying_partition_router')),
    dropsRepeated: router.deduplicate !== false,
    at: input.manifest.at(router),
  }
}

/** Airbyte: groups and unions send nothing by themselves. An option that is never sent would read everything for each slice. */
function planUnsent(input: RouterInput, router: Component, member: Component): RouterPlan {
  const sender = [member, ...componentsIn(member, 'parent_stream_configs')].find((one) => one.request_option)
  if (sender === undefined) return planRouter(input, member)
  const message = `\`request_option\` has no effect inside a ${router.type}.`
  throw new ConnectorError('manifest/invalid-value', message, {
    at: input.manifest.at(sender, 'request_option'),
    hint: 'Remove it, and take the values from `stream_partition` in a parameter, a header, the body or the path.',
  })
}

function planParents(input: RouterInput, router: Component): ParentPlan[] {
  return componentsIn(router, 'parent_stream_configs').map((parent) => planParent(input, parent))
}

function planParent(input: RouterInput, parent: Component): ParentPlan {
  const paths = (parent.extra_fields as readonly (readonly unknown[])[] | undefined) ?? []
  return {
    stream: input.planParent(requiredComponentIn(input, parent, 'stream')),
    // Airbyte: a key may lead into the record, its steps divided by slashes.
    key: (textIn(input, parent, 'parent_key') ?? '').split('/').filter((step) => step !== ''),
    field: textIn(input, parent, 'partition_field') ?? '',
    placement: placementIn(input, parent, 'request_option'),
    extraFields: paths.map((path) => pathOf(input, parent, path)),
    firstPage: planFirstPage(input, parent),
    isIncremental: parent.incremental_dependency === true,
    at: input.manifest.at(parent),
  }
}

function planFirstPage(input: PlanInput, parent: Component): readonly string[] | null {
  const pointer = (parent.lazy_read_pointer as readonly unknown[] | undefined) ?? []
  if (pointer.length === 0) return null
  const path = pathOf(input, parent, pointer)
  if (!path.some((step) => step.includes('*'))) return path
  const message = '`lazy_read_pointer` holds `*`; it must lead to one place.'
  throw new ConnectorError('manifest/invalid-value', message, { at: input.manifest.at(parent, 'lazy_read_pointer') })
}

function pathOf(input: PlanInput, holder: Component, path: readonly unknown[]): string[] {
  return path.map((step, index) =>
    evaluatedText(input, compileAt(step, input.manifest.at(path, index)), parametersOf(holder)),
  )
}
