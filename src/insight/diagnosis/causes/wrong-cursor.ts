/** The walk ends, or fails to go on, although the API names a next page: the cursor or the stop condition looks elsewhere. */
import type { PageToken } from '../../../engine/request/page-token.ts'
import type { Receipt } from '../../receipt.ts'
import type { Case, Hypothesis } from '../case.ts'
import { type CursorPlace, cursorPlacesIn } from '../cursor-places.ts'
import type { Evidence } from '../diagnosis.ts'
import { type Examine, seen, withoutFix } from '../examine.ts'
import { type ManifestPlace, set } from '../manifest-place.ts'
import { cursorNames } from '../paging-names.ts'
import { nextAddress, requestOption } from '../paginators.ts'
import { tokenPlaces, whereWords } from '../token-places.ts'
import { tryInOrder } from '../trial.ts'
import type { WalkedPage } from '../walked-page.ts'
import { afterLast } from './after-last.ts'

export const wrongCursor: Examine = async (subject, tools) => {
  const { receipt, pages, pagination, place, walk } = subject
  const last = pages.at(-1)
  if (pagination.kind !== 'cursor' || last === undefined) return null
  const isEarly = receipt !== null && endsEarly(subject, receipt)
  const isUnread = walk.error !== null && walk.error.code.startsWith('template/') && last.stop === 'error'
  if (!isEarly && !isUnread) return null
  const stops = receipt?.stop === 'stop-condition'
  const how = stops
    ? 'the stop condition is met'
    : `\`${pagination.value.source.trim()}\` gives ${isUnread ? 'an error' : 'nothing'}`
  const says = `The walk ends after page ${last.number}, where ${how}, although the API names a next page.`
  const evidence = [
    ...(isEarly ? [seen(`Page ${last.number}: ${receipt.reason}${receipt.at ? ` (${receipt.at})` : ''}.`, last)] : []),
    ...(isUnread ? [seen(walk.error?.message ?? '', last)] : []),
  ]
  const places = cursorPlacesIn(last, walk.rules.recordPath)
  if (place !== null && receipt?.verdict !== 'incomplete' && !isUnread) {
    return tryInOrder(subject, withoutStop(place, says, evidence, tokenAt(places[0], last)), tools)
  }
  if (place !== null) {
    const unstopped = stops ? withoutStop(place, says, evidence) : []
    const elsewhere = places.flatMap((one) => readingAt(subject, place, one, says, evidence))
    const after = afterLast(subject, place, 'missing/wrong-cursor', { says, evidence })
    const found = await tryInOrder(subject, [...unstopped, ...elsewhere, ...after], tools)
    if (found !== null) return found
  }
  if (!isEarly || receipt.verdict !== 'incomplete') return null
  return withoutFix({
    code: 'missing/wrong-cursor',
    fault: 'manifest',
    says,
    evidence,
    advice:
      `${subject.whyNot} Look for the value that asks for the next page in the answer of page ${last.number}.`.trim(),
  })
}

/** A condition on the data may end a walk on purpose; one that is met on the very first page, while a next one is named, may be upside down. */
function endsEarly({ walk, pages }: Case, { verdict, stop, claimed }: Receipt): boolean {
  if (verdict === 'incomplete') return stop === 'no-cursor' || stop === 'stop-condition'
  const isNamed = claimed.more?.value === true && pages.length === 1 && (pages[0]?.received ?? 0) > 0
  return stop === 'stop-condition' && isNamed && !walk.rules.mayStopEarly
}

/** Where a cursor runs out by itself, no condition is needed. */
function withoutStop(
  place: ManifestPlace,
  says: string,
  evidence: readonly Evidence[],
  firstTry?: PageToken | null,
): Hypothesis[] {
  if (firstTry === null) return []
  return [
    {
      code: 'missing/wrong-cursor',
      why: 'whether the walk ends by itself without the stop condition',
      says,
      evidence,
      fix: {
        says: 'Remove the stop condition: the walk ends where there is no cursor.',
        edits: set(place.strategy, { stop_condition: undefined }),
      },
      ...(firstTry !== undefined && { firstTry }),
    },
  ]
}

/** What would ask for the page that is named here; null where none is. */
function tokenAt(place: CursorPlace | undefined, { request }: WalkedPage): PageToken | null {
  if (place === undefined) return null
  const { value, isLink } = place
  if (!isLink) return { value }
  return URL.canParse(String(value), request.url) ? { value, url: new URL(String(value), request.url).href } : null
}

/** The token goes where it went; only a link must be followed as one, and a value that was none must be placed. */
export function readingAt(
  { pagination }: Case,
  place: ManifestPlace,
  cursor: CursorPlace,
  says: string,
  evidence: readonly Evidence[],
): Hypothesis[] {
  const found = seenAt(cursor, evidence)
  const strategy = set(place.strategy, { cursor_value: cursor.template, stop_condition: cursor.stopCondition })
  const one = (fix: Hypothesis['fix'], value?: string | number): Hypothesis => ({
    code: 'missing/wrong-cursor',
    why: `whether ${cursor.at} asks for the next page`,
    says,
    evidence: found,
    fix,
    ...(value !== undefined && { firstTry: { value } }),
  })
  const token = pagination.kind === 'cursor' ? pagination.token : null
  if (cursor.isLink) {
    const follow = token?.into === 'path' ? [] : set(place.paginator, { page_token_option: nextAddress })
    return [one({ says: `Follow the address at ${cursor.at}.`, edits: [...strategy, ...follow] })]
  }
  if (token !== null && token.into !== 'path') {
    return [one({ says: `Read the cursor at ${cursor.at}.`, edits: strategy })]
  }
  return tokenPlaces(place, cursorNames(cursor).slice(0, 3), cursor.above).map(({ into, name }) => {
    const option = set(place.paginator, { page_token_option: requestOption(into, name) })
    const words = `Read the cursor at ${cursor.at}, and send it as ${whereWords[into]} ${name}.`
    return one({ says: words, edits: [...strategy, ...option] }, cursor.value)
  })
}

function seenAt({ at, value }: CursorPlace, evidence: readonly Evidence[]): Evidence[] {
  const shown = String(value)
  const text = shown.length > 60 ? `${shown.slice(0, 60)}…` : shown
  const pages = evidence.flatMap((one) => one.pages).slice(-1)
  return [...evidence, { says: `At ${at} it has \`${text}\`.`, pages }]
}
