/** The stop condition is met although more pages follow: it reads something that does not show the end. */
import type { Found } from '../../claims/envelope-claims.ts'
import { placeName } from '../../claims/response-place.ts'
import { nearMiss } from '../../../std/text/near-miss.ts'
import type { Case, Hypothesis } from '../case.ts'
import { stopAtFlag } from '../cursor-places.ts'
import type { Evidence } from '../diagnosis.ts'
import { type Cause, seen } from '../cause.ts'
import { type ManifestPlace, set } from '../manifest-place.ts'
import { misspeltStop, readPlaces } from '../missing-paths.ts'
import { spelt } from '../../../engine/template/syntax/places-read.ts'
import { namedClaims } from '../named-claims.ts'
import type { PageSummary } from '../page-summary.ts'
import { pageNumberingIn } from '../page-number.ts'
import { changed, bringsSomeNew, readWith, tryInOrder, type TrialTools } from '../trial.ts'
import { invertedStop } from './inverted-stop.ts'
import { isAllThere } from './start-page.ts'

export const wrongStop: Cause = async (subject, tools) => {
  const { place } = subject
  const inverted = invertedStop(subject)
  const doubt = stopDoubt(subject)
  if (inverted === null && doubt === null) return null
  if (place === null || !(await doesContinue(subject, place, tools))) return inverted?.said ?? null
  const hypotheses = [
    ...(inverted?.hypothesis == null ? [] : [inverted.hypothesis]),
    ...(doubt === null ? [] : conditions(subject, place, doubt)),
  ]
  return (await tryInOrder(subject, hypotheses, tools)) ?? inverted?.said ?? null
}

/** Whether another page follows at all, once the condition is left out. */
async function doesContinue(subject: Case, { strategy }: ManifestPlace, tools: TrialTools): Promise<boolean> {
  const manifest = changed(tools, set(strategy, { stop_condition: undefined }))
  if (manifest === null || tools.probing.left() < 2) return false
  const from = subject.pages.at(-1)?.token ?? undefined
  const why = 'whether more pages follow without the stop condition'
  return bringsSomeNew(subject, await readWith(subject, manifest, { why, from, pages: 2 }, tools))
}

type StopDoubt = {
  readonly last: PageSummary
  readonly claims: Found
  readonly says: string
  readonly evidence: readonly Evidence[]
}

/** Null where the condition may be right, or where the cursor is wrong as well. */
export function stopDoubt(subject: Case): StopDoubt | null {
  const { pagination, pages, receipt, read } = subject
  const last = pages.at(-1)
  if (pagination.kind !== 'cursor' || pagination.stopWhen === null || receipt?.stop !== 'stop-condition') return null
  if (last === undefined || last.received === 0 || isAllThere(receipt)) return null
  const isIncomplete = receipt.verdict === 'incomplete'
  // A condition on the records may end a read on purpose.
  if (read.rules.mayStopEarly && !isIncomplete) return null
  const cursor = readPlaces(pagination.value.source, last)
  if (cursor.all.length > 0 && cursor.missing.length === cursor.all.length) return null
  const claims = namedClaims(last, read.rules.recordPath)
  // A last page that is shorter than the others is how a condition on the size is meant.
  const isShort = last.received < (pages[0]?.received ?? 0)
  if (!isIncomplete && isShort && isOfSize(pagination.stopWhen)) return null
  const more = claims.nexts.find(({ says }) => says === 'more')
  const evidence = isIncomplete
    ? seen(`Page ${last.number}: ${receipt.reason}${receipt.at ? ` (${receipt.at})` : ''}.`, last)
    : more !== undefined
      ? seen(`Page ${last.number} says that another one follows (${placeName(more.place)}).`, last)
      : mayBeCut(subject, last, claims)
        ? seen(`Nothing on page ${last.number} says that it is the last one.`, last)
        : null
  if (evidence === null) return null
  return { last, claims, says: sayWrong(subject, last, claims), evidence: [evidence] }
}

/** Nothing says that the end was reached, and the last page is as long as the first one. */
function mayBeCut({ pages, pagination }: Case, last: PageSummary, { nexts }: Found): boolean {
  const [first] = pages
  if (pagination.kind !== 'cursor' || pagination.stopWhen === null || nexts.some(({ says }) => says === 'end'))
    return false
  return (isOfSize(pagination.stopWhen) || pages.length === 1) && last.received >= (first?.received ?? 0)
}

type Template = { readonly names: ReadonlySet<string>; readonly source: string }

function isOfSize({ names, source }: Template): boolean {
  return names.has('last_page_size') || /\|\s*(length|count)\b/.test(source)
}

function sayWrong({ pagination, read }: Case, last: PageSummary, claims: Found): string {
  if (pagination.kind !== 'cursor' || pagination.stopWhen === null) return ''
  const condition = pagination.stopWhen.source.trim()
  const [missing] = readPlaces(condition, last).missing
  const met = `The stop condition \`${condition}\` is met on page ${last.number}, although more pages follow.`
  if (missing === undefined) return met
  const wrong = missing.at(-1) ?? ''
  const flag = flagIn(claims)
  const respelled = misspeltStop(pagination, last, read.rules.recordPath)
  const meant = respelled?.right ?? (flag !== null && isNear(wrong, flag) ? nameOf(flag, wrong) : null)
  const question = meant === null ? '' : ` Did you mean \`${meant}\`?`
  return `${met} It reads \`${spelt(missing)}\`, which the response does not have.${question}`
}

function flagIn({ nexts }: Found): readonly string[] | null {
  const flag = nexts.find(({ kind, place: [from] }) => kind === 'flag' && from === 'body')
  return flag === undefined ? null : flag.place.slice(1)
}

/** `hasNext` is near to `hasNextPage`, `has_more` to `hasMore`; the same name elsewhere is nearest. */
function isNear(wrong: string, flag: readonly string[]): boolean {
  const right = flag.at(-1) ?? ''
  const [one, other] = [letters(wrong), letters(right)]
  if (one.length < 3) return false
  return one === other || other.includes(one) || one.includes(other) || nearMiss(wrong, [right]) !== undefined
}

/** The whole place where the name itself was right. */
function nameOf(flag: readonly string[], wrong: string): string {
  const name = flag.at(-1) ?? ''
  return name === wrong ? flag.join('.') : name
}

function letters(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}

/** What the API says about its end, the plainest first; then the end of the cursor itself; then an empty page. */
function conditions(subject: Case, place: ManifestPlace, doubt: StopDoubt): Hypothesis[] {
  const { pagination, read } = subject
  const { last, claims, says, evidence } = doubt
  const one = (why: string, words: string, stop: string | undefined): Hypothesis => ({
    code: 'missing/stop-condition',
    why: `whether more pages follow, and end, ${why}`,
    says,
    evidence,
    fix: { says: words, edits: set(place.strategy, { stop_condition: stop }) },
    shortRead: 0,
    ...(last.token !== null && { from: last.token }),
    isShownBy: (after) => bringsSomeNew(subject, after),
  })
  const flag = flagIn(claims)
  const atFlag = stopAtFlag(claims)
  const meant = pagination.kind === 'cursor' ? misspeltStop(pagination, last, read.rules.recordPath) : null
  const [first] = subject.pages
  const atCount = first === undefined ? null : (pageNumberingIn(first, read.rules.recordPath)?.isLast ?? null)
  return [
    ...(flag !== null && atFlag !== null
      ? [
          one(
            `where ${flag.join('.')} says so`,
            `Stop where ${flag.join('.')} says that no page follows: \`${atFlag}\`.`,
            atFlag,
          ),
        ]
      : []),
    ...(meant === null
      ? []
      : [
          one(
            `with ${meant.at}`,
            `Read ${meant.at} in the stop condition: \`${meant.template.trim()}\`.`,
            meant.template,
          ),
        ]),
    ...(atCount === null
      ? []
      : [one('at the last page by its number', `Stop at the last page: \`${atCount}\`.`, atCount)]),
    one('by the cursor itself', 'Remove the stop condition: the read ends where there is no cursor.', undefined),
    one('at an empty page', 'Stop at an empty page: `{{ last_page_size == 0 }}`.', '{{ last_page_size == 0 }}'),
  ]
}
