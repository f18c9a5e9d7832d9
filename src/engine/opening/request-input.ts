/** A stream's plan → what the request of each of its pages is built from. */
import type { OpenStream } from '../pages/stream.ts'
import type { Config } from '../plan/plan.ts'
import type { StreamPlan } from '../plan/stream.ts'
import { parentsHome } from '../request/parents-home.ts'
import { pagedValues } from '../request/placement.ts'
import { placedProperties, withProperties } from '../request/property-chunks.ts'
import { sliceOptions } from '../slices/slices.ts'

export type RequestFacts = {
  readonly plan: StreamPlan
  readonly config: Config
  readonly pageSize: number | string | null
  readonly trustedOrigins: readonly string[]
}

export function requestInputs({ plan, config, pageSize, trustedOrigins }: RequestFacts): OpenStream['requestInput'] {
  const { pagination, slicing, properties } = plan
  const home = plan.job === null ? parentsHome(slicing.routers, config) : null
  return (slice, token, asked) => {
    // Airbyte: a download is asked for without what the slice would inject.
    const skipsSlice = plan.job !== null || (plan.sliceOptionsOnFirstPageOnly && token !== null)
    const ofSlice = skipsSlice ? [] : sliceOptions(slicing, slice)
    return {
      requester: plan.requester,
      at: plan.at,
      config,
      slice: asked === undefined ? slice : withProperties(slice, asked),
      token,
      placed: [...placedProperties(properties, asked), ...pagedValues(pagination, token, pageSize), ...ofSlice],
      trustedOrigins,
      ...(home !== null && { home }),
    }
  }
}
