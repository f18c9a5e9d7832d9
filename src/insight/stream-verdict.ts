/** The slices of a stream, one after the other → a verdict on the stream; the worst of them counts. */
import type { Judgement, Verdict } from './evidence.ts'
import { count, number } from '../words.ts'

/** What is kept of all slices so far, however many: plain JSON. */
export type StreamTally = {
  readonly slices: number
  readonly received: number
  /** How many slices have each verdict, and the first of them. */
  readonly verdicts: { readonly [V in Verdict]?: { readonly slices: number; readonly first: Judgement } }
  /** Slices whose total was larger than what they brought: it counts the whole stream, or they are short. */
  readonly short: { readonly slices: number; readonly first: Judgement } | null
  /** Slices with a total that is exactly what they brought: totals of this API count slices. */
  readonly exact: number
  /** The total that all slices named so far; null when they differ or name none. */
  readonly sharedTotal: number | null
}

export type JudgedSlice = {
  readonly judgement: Judgement
  readonly received: number
  /** The records that the API says the slice has; null when it does not say. */
  readonly total: number | null
}

export const emptyTally: StreamTally = {
  slices: 0,
  received: 0,
  verdicts: {},
  short: null,
  exact: 0,
  sharedTotal: null,
}

export function addSlice(tally: StreamTally, { judgement, received, total }: JudgedSlice): StreamTally {
  const isShort = judgement.verdict === 'unproven' && total !== null && total > received
  const { verdict } = judgement
  return {
    slices: tally.slices + 1,
    received: tally.received + received,
    verdicts: isShort ? tally.verdicts : { ...tally.verdicts, [verdict]: onceMore(tally.verdicts[verdict], judgement) },
    short: isShort ? onceMore(tally.short ?? undefined, judgement) : tally.short,
    exact: tally.exact + (total !== null && total === received && received > 0 ? 1 : 0),
    sharedTotal: tally.slices === 0 || tally.sharedTotal === total ? total : null,
  }
}

function onceMore(known: { slices: number; first: Judgement } | undefined, judgement: Judgement) {
  return { slices: (known?.slices ?? 0) + 1, first: known?.first ?? judgement }
}

const worstFirst: readonly Verdict[] = ['incomplete', 'duplicated', 'unproven', 'complete']

export function judgeStream(tally: StreamTally): Judgement {
  const { slices, received, short, exact, sharedTotal } = tally
  if (slices === 0) return { verdict: 'unproven', reason: 'there was no slice to read' }
  if (short !== null && slices > 1 && sharedTotal === received && tally.verdicts.incomplete === undefined) {
    return { verdict: 'complete', reason: `total ${number(received)} in ${count(slices, 'slice')}` }
  }
  const verdicts = withShort(tally, short !== null && exact > 0 ? 'incomplete' : 'unproven')
  const verdict = worstFirst.find((one) => verdicts[one] !== undefined) ?? 'unproven'
  const { slices: alike, first } = verdicts[verdict] as NonNullable<(typeof verdicts)[Verdict]>
  if (slices === 1) return first
  if (verdict === 'complete') return { verdict, reason: `each of ${count(slices, 'slice')} is complete` }
  return { ...first, verdict, reason: `${number(alike)} of ${count(slices, 'slice')}: ${first.reason}` }
}

/** Once one slice has shown that totals count slices, those that are larger than their slice show what is missing. */
function withShort({ verdicts, short }: StreamTally, verdict: 'incomplete' | 'unproven'): StreamTally['verdicts'] {
  if (short === null) return verdicts
  const known = verdicts[verdict]
  const first = known?.first ?? { ...short.first, verdict }
  return { ...verdicts, [verdict]: { slices: (known?.slices ?? 0) + short.slices, first } }
}
