/** What a read proves about its own completeness. */
import type { StopReason } from '../engine/pagination/next-page.ts'
import type { Claims } from './claims.ts'

export type Verdict = 'complete' | 'unproven' | 'incomplete' | 'duplicated'

export type Judgement = { readonly verdict: Verdict; readonly reason: string }

export type SliceFacts = {
  readonly received: number
  readonly stop: StopReason | null
  readonly claims: Claims | null
}

export function judgeSlice({ stop }: SliceFacts): Judgement {
  if (stop === null || stop === 'limit' || stop === 'error')
    return { verdict: 'incomplete', reason: 'it was cut short' }
  return { verdict: 'unproven', reason: 'the API claims nothing' }
}

/** The worst of its slices. */
export function judgeStream(slices: readonly Judgement[]): Judgement {
  const worst = (['duplicated', 'incomplete', 'unproven', 'complete'] as const)
    .map((verdict) => slices.find((one) => one.verdict === verdict))
    .find((one) => one !== undefined)
  return worst ?? { verdict: 'unproven', reason: 'there was nothing to ask for' }
}
