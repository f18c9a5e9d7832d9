/** `partition_router` → how a stream is cut into partitions, its parents planned with it. */
import { ConnectorError } from '../../std/errors.ts'
import type { Component } from '../manifest/manifest.ts'
import type { StreamPlan } from './plan.ts'
import type { ListPlan } from './router-plan.ts'
import {
  compileAt,
  componentsIn,
  numberIn,
  parametersOf,
  planCustom,
  type PlanInput,
  placementIn,
  requiredComponentIn,
  textIn,
  textOf,
  unsupported,
} from './read-fields.ts'
import type { GroupPlan, ParentPlan, RouterPlan } from './router-plan.ts'

/** Parents are streams: the planner of streams is handed in, since it plans routers too. */
export type RouterInput = PlanInput & { readonly planParent: (stream: Component) => StreamPlan }

export function planRouter(input: RouterInput, router: Component): RouterPlan {
  const at = input.manifest.at(router)
  switch (router.type) {
    case 'ListPartitionRouter':
      return planList(input, router)
    case 'SubstreamPartitionRouter':
      return { kind: 'parents', parents: planParents(input, router), at }
    case 'GroupingPartitionRouter':
      return planGroup(input, router)
    case 'UnionPartitionRouter': {
      const routers = componentsIn(router, 'partition_routers').map((member) => planRouter(input, member))
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
    const message = `\`group_size\` is ${size}; a group holds at least one partition.`
    throw new ConnectorError('plan/invalid-number', message, { at: input.manifest.at(router, 'group_size') })
  }
  return {
    kind: 'group',
    size,
    router: planRouter(input, requiredComponentIn(input, router, 'underlying_partition_router')),
    dropsRepeated: router.deduplicate !== false,
    at: input.manifest.at(router),
  }
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
  return path.map((step, index) => textOf(input, compileAt(step, input.manifest.at(path, index)), parametersOf(holder)))
}
