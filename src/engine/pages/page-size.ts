/** How many records a page is requested with, where an API may find pages too large. */
import { ConnectorError } from '../../std/errors.ts'
import { count } from '../../std/text/format-count.ts'
import { pageSizeOf } from '../plan/pagination.ts'
import type { ReductionPlan } from '../plan/smaller-requests.ts'
import { requestedSize } from '../pagination/next-page.ts'
import { pause } from '../response/retry.ts'
import type { OpenStream } from './stream.ts'

export type PageSize = {
  /** Null while it is the size that the manifest names. */
  reduced(): number | null
  /** The API refused the page: a smaller size, after a wait. Throws when there is none. */
  reduce(reason: string, signal: AbortSignal): Promise<void>
  /** A page was received. */
  succeeded(): void
}

const asNamed: PageSize = { reduced: () => null, reduce: async () => {}, succeeded: () => {} }

export function openPageSize(stream: OpenStream): PageSize {
  const { reduction } = stream.plan
  return reduction === null ? asNamed : openReducedSize(stream, reduction)
}

function openReducedSize({ plan, strategy, sleep }: OpenStream, reduction: ReductionPlan): PageSize {
  const { factor, least, most, waitSeconds, triesAtLeast, restores } = reduction
  const named = pageSizeOf(requestedSize(plan.pagination, strategy))
  let size = named
  let reductions = 0
  let triesAgain = 0
  const gaveUp = (reason: string): ConnectorError => {
    const smallest = size === null ? 'no page size' : `pages of ${count(size, 'record')}`
    const message = `The API refuses pages of stream "${plan.name}", at last with ${smallest}. ${reason}`
    return new ConnectorError('response/gave-up', message, { at: reduction.at, hint: reduction.advice ?? undefined })
  }
  return {
    reduced: () => (size === named ? null : size),
    async reduce(reason, signal) {
      const smaller = size === null ? null : Math.max(least, Math.floor(size / factor))
      const isSmallest = size === null || smaller === null || smaller >= size
      if (isSmallest ? triesAgain >= triesAtLeast : reductions >= most) throw gaveUp(reason)
      if (!isSmallest) size = smaller
      const times = isSmallest ? ++triesAgain : ++reductions
      await pause(times * waitSeconds * 1000, signal, { sleep })
    },
    succeeded() {
      reductions = 0
      triesAgain = 0
      if (restores) size = named
    },
  }
}
