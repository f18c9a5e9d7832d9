/** The slices of a stream, one after the other → a verdict on the stream: the worst of theirs. */
import type { Passing } from '../../engine/pages/advance-cursor.ts'
import { addShown, noClaims, type Shown } from '../receipts/receipt.ts'
import { type Judgement, withDoubt } from './verdict.ts'
import { type Verdict, verdictName, verdicts as fromWorst } from './verdict-name.ts'
import { count, number } from '../../std/text/format-count.ts'
import type { JudgedParent } from '../../engine/pages/judged-parent.ts'

/** What is kept of all slices so far, however many: plain JSON. */
export type StreamTally = {
  readonly slices: number
  readonly received: number
  /** How many slices have each verdict, and the first of them. */
  readonly verdicts: { readonly [V in Verdict]?: { readonly slices: number; readonly first: Judgement } }
  /** Slices whose total is larger than what was received: it counts the whole stream, or they are short. */
  readonly short: { readonly slices: number; readonly first: Judgement } | null
  /** Slices whose first response was ignored: tolerable while other slices had their list. */
  readonly ignored?: { readonly slices: number; readonly first: Judgement } | null
  /** Slices with a total that is exactly what they brought: totals of this API count slices. */
  readonly exact: number
  /** The total that all slices named so far; null when they differ or name none. */
  readonly sharedTotal: number | null
  /** What each slice brought so far, while all brought as many; null once they differ. */
  readonly each?: number | null
  /** Pages without their list, of all slices. */
  readonly withoutList?: number
  /** What the slices brought and claimed, added up. */
  readonly shown: Shown
}

type JudgedSlice = Shown & { readonly judgement: Judgement; readonly received: number }

export const emptyTally: StreamTally = {
  slices: 0,
  received: 0,
  verdicts: {},
  short: null,
  exact: 0,
  sharedTotal: null,
  shown: { keys: null, claimed: noClaims },
}

export function addSlice(tally: StreamTally, { judgement, received, keys, claimed }: JudgedSlice): StreamTally {
  const total = claimed.total?.value ?? null
  const shown = { keys, claimed }
  const isOpen = mayLack({ judgement, received, claimed })
  const { isIgnored = false } = judgement
  const { verdict } = judgement
  return {
    slices: tally.slices + 1,
    received: tally.received + received,
    verdicts: isOpen ? tally.verdicts : { ...tally.verdicts, [verdict]: onceMore(tally.verdicts[verdict], judgement) },
    short: isOpen && !isIgnored ? onceMore(tally.short ?? undefined, judgement) : tally.short,
    ignored: isOpen && isIgnored ? onceMore(tally.ignored ?? undefined, judgement) : (tally.ignored ?? null),
    exact: tally.exact + (total !== null && total === received && received > 0 ? 1 : 0),
    sharedTotal: tally.slices === 0 || tally.sharedTotal === total ? total : null,
    each: tally.slices === 0 || tally.each === received ? received : null,
    withoutList: (tally.withoutList ?? 0) + (judgement.pagesWithoutList ?? 0),
    shown: tally.slices === 0 ? shown : addShown(tally.shown, shown),
  }
}

/**
 * Whether only the slices together show if this one lacks records: its total is larger than what it brought, which may count the whole
 * stream; or its first response was ignored.
 */
function mayLack({ judgement, received, claimed }: Pick<JudgedSlice, 'judgement' | 'received' | 'claimed'>): boolean {
  if (judgement.verdict !== 'unproven') return false
  return judgement.isIgnored === true || (claimed.total !== null && claimed.total.value > received)
}

/** Slices that may lack records wait for what the others show, also for those read after them. */
export function passingOf(judged: Pick<JudgedSlice, 'judgement' | 'received' | 'claimed'>): Passing {
  if (judged.judgement.verdict === 'incomplete') return 'stay'
  return mayLack(judged) ? 'wait' : 'pass'
}

/** What the slices brought and claimed together. */
export function shownIn({ slices, exact, sharedTotal, shown }: StreamTally): Shown {
  const { total } = shown.claimed
  // One number on all slices, and none has as many: it counts the stream.
  if (total === null || slices < 2 || exact > 0 || sharedTotal === null) return shown
  return { ...shown, claimed: { ...shown.claimed, total: { ...total, value: sharedTotal } } }
}

function onceMore(known: { slices: number; first: Judgement } | undefined, judgement: Judgement) {
  return { slices: (known?.slices ?? 0) + 1, first: known?.first ?? judgement }
}

export function judgeStream(tally: StreamTally): Judgement {
  const { pagesWithoutList: _, isIgnored: __, ...judged } = byVerdicts(tally)
  const pagesWithoutList = tally.withoutList ?? 0
  return pagesWithoutList > 0 ? { ...judged, pagesWithoutList } : judged
}

function byVerdicts(tally: StreamTally): Judgement {
  const { slices, received, short, ignored = null } = tally
  const { incomplete, duplicated } = tally.verdicts
  if (slices === 0) return { verdict: 'unproven', reason: 'there was no slice to read' }
  if (isWholeTotal(tally) && incomplete === undefined && duplicated === undefined && ignored === null) {
    return { verdict: 'complete', reason: `total ${number(received)} in ${count(slices, 'slice')}` }
  }
  const ofShort = withMore(tally.verdicts, short, areShort(tally) ? 'incomplete' : 'unproven')
  const verdicts = withMore(ofShort, ignored, isUnseen(tally) ? 'incomplete' : 'unproven')
  const verdict = fromWorst.find((one) => verdicts[one] !== undefined) ?? 'unproven'
  const { slices: alike, first } = verdicts[verdict] as NonNullable<(typeof verdicts)[Verdict]>
  if (slices === 1) return first
  if (verdict === 'complete') return { verdict, reason: `each of ${count(slices, 'slice')} is complete` }
  return { ...first, verdict, reason: `${number(alike)} of ${count(slices, 'slice')}: ${first.reason}` }
}

/** Whether the slices together bring the one total that they share: it counts the stream. */
function isWholeTotal({ received, short, sharedTotal, each }: StreamTally): boolean {
  // Slices of one size may each be cut by as much as makes their sum the total of one.
  const isChance = each !== null && each !== undefined
  return short !== null && sharedTotal === received && !isChance
}

/** Once one slice has shown that totals count slices, those that are larger than their slice show what is missing. */
function areShort({ short, exact }: StreamTally): boolean {
  return short !== null && exact > 0
}

/** Where every first response was ignored, nothing shows that the list exists. */
function isUnseen({ slices, ignored }: StreamTally): boolean {
  return ignored?.slices === slices
}

/** After the read: whether slices that only the others could judge lack records. */
export function lacksOpen(tally: StreamTally): boolean {
  return (areShort(tally) && !isWholeTotal(tally)) || isUnseen(tally)
}

/** Adds the slices that were left open, with the verdict that the others decide. */
function withMore(
  verdicts: StreamTally['verdicts'],
  more: StreamTally['short'],
  verdict: 'incomplete' | 'unproven',
): StreamTally['verdicts'] {
  if (more === null) return verdicts
  const known = verdicts[verdict]
  const first = known?.first ?? { ...more.first, verdict }
  return { ...verdicts, [verdict]: { slices: (known?.slices ?? 0) + more.slices, first } }
}

/** The same parents may be given more than once. */
export function judgeWithParents<J extends Judgement>(judged: J, parents: readonly JudgedParent[]): J {
  if (judged.verdict === 'incomplete') return judged
  const short = parents.find(({ verdict }) => verdict === 'incomplete')
  if (short !== undefined) {
    const { at: _ofTheSlices, ...others } = judged
    return { ...(others as J), verdict: 'incomplete', reason: sayParent(short) }
  }
  const doubted = parents.find(({ verdict }) => verdict !== 'complete')
  if (doubted === undefined || judged.verdict !== 'complete') return judged
  return withDoubt(judged, sayParent(doubted))
}

function sayParent({ stream, verdict, reason }: JudgedParent): string {
  return `parent stream "${stream}" is ${verdictName(verdict)}: ${reason}`
}
