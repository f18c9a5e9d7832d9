/** A stream's plan → what the request of each of its pages is built from. */
import type { OpenStream } from '../pages/stream.ts'
import type { Config } from '../plan/plan.ts'
import type { StreamPlan } from '../plan/stream.ts'
import { pagedValues } from '../request/placement.ts'
import { placedProperties, withProperties } from '../request/property-chunks.ts'
import { sliceOptions } from '../slices/slices.ts'
import type { ParentPlan, RouterPlan } from '../plan/slicing.ts'
import { pythonText } from '../template/text.ts'
import { joinUrl } from '../request/url.ts'

type RequestFacts = {
  readonly plan: StreamPlan
  readonly config: Config
  readonly pageSize: number | string | null
  readonly trustedOrigins: readonly string[]
}

export function requestInputs({ plan, config, pageSize, trustedOrigins }: RequestFacts): OpenStream['requestInput'] {
  const { pagination, slicing, properties } = plan
  const home = plan.job === null ? parentsHome(slicing.routers, config) : null
  return (slice, token, asked, size) => {
    // Airbyte: a download is requested without what the slice would inject.
    const skipsSlice = plan.job !== null || (plan.sliceOptionsOnFirstPageOnly && token !== null)
    const ofSlice = skipsSlice ? [] : sliceOptions(slicing, slice)
    return {
      requester: plan.requester,
      at: plan.at,
      config,
      slice: asked === undefined ? slice : withProperties(slice, asked),
      token,
      placed: [...placedProperties(properties, asked), ...pagedValues(pagination, token, size ?? pageSize), ...ofSlice],
      trustedOrigins,
      ...(home !== null && { home }),
    }
  }
}

/** The address of the first parent that has one of its own; null without parents. */
function parentsHome(routers: readonly RouterPlan[], config: Config): string | null {
  for (const { stream } of routers.flatMap(parentsOf)) {
    const { base, parameters } = stream.requester
    try {
      return joinUrl(pythonText(base.evaluate({ config, parameters })), '')
    } catch {
      // A parent whose address is said by a parent of its own.
      const home = parentsHome(stream.slicing.routers, config)
      if (home !== null) return home
    }
  }
  return null
}

function parentsOf(router: RouterPlan): readonly ParentPlan[] {
  switch (router.kind) {
    case 'list':
      return []
    case 'parents':
    case 'custom':
      return router.parents
    case 'group':
      return parentsOf(router.router)
    case 'union':
      return router.routers.flatMap(parentsOf)
  }
}
