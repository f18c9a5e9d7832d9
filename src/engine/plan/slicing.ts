/** `partition_router` and `incremental_sync` → how a stream is cut into slices. */
import type { Component } from '../manifest/manifest.ts'
import { planCursor, planMigrations } from './cursor.ts'
import type { SlicingPlan } from './plan.ts'
import { componentIn, componentsIn } from './read-fields.ts'
import { planRouter, type RouterInput } from './routers.ts'

export function planSlicing(input: RouterInput, stream: Component, retriever: Component): SlicingPlan {
  const cursor = componentIn(stream, 'incremental_sync')
  return {
    routers: componentsIn(retriever, 'partition_router').map((router) => planRouter(input, router)),
    cursor: cursor === null ? null : planCursor(input, cursor, retriever),
    migrations: planMigrations(input, stream, retriever),
  }
}
