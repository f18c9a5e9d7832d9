/** `partition_router` and `incremental_sync` → how a stream is cut into slices. */
import type { Component } from '../manifest/manifest.ts'
import { planCursor, planMigrations } from './cursor.ts'
import type { ListPlan, SlicingPlan } from './plan.ts'
import {
  compileAt,
  componentIn,
  componentsIn,
  parametersOf,
  type PlanInput,
  placementIn,
  textIn,
  unsupported,
} from './read-fields.ts'

export function planSlicing(input: PlanInput, stream: Component, retriever: Component): SlicingPlan {
  const cursor = componentIn(stream, 'incremental_sync')
  return {
    routers: componentsIn(retriever, 'partition_router').map((router) => planList(input, router)),
    cursor: cursor === null ? null : planCursor(input, cursor, retriever),
    migrations: planMigrations(input, stream, retriever),
  }
}

function planList(input: PlanInput, router: Component): ListPlan {
  if (router.type !== 'ListPartitionRouter') throw unsupported(input, router)
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
