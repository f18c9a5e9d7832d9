/** Routers → whose credentials a stream has when its address is nothing but what a parent's record says. */
import type { Config } from '../plan/plan.ts'
import type { ParentPlan, RouterPlan } from '../plan/slicing.ts'
import { pythonText } from '../template/text.ts'
import { joinUrl } from './url.ts'

/** The address of the first parent that has one of its own; null without parents. */
export function parentsHome(routers: readonly RouterPlan[], config: Config): string | null {
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
