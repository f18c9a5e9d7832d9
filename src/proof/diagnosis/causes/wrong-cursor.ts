/** The read ends or fails although the API names a next page: the cursor is read elsewhere. */
import { isUrl } from '../../../std/text/is-url.ts'
import type { PageToken } from '../../../engine/request/page-token.ts'
import type { Receipt } from '../../receipts/receipt.ts'
import type { Case, Hypothesis } from '../case.ts'
import { type CursorPlace, cursorPlacesIn, stopAtFlag } from '../cursor-places.ts'
import type { Evidence } from '../diagnosis.ts'
import { type Cause, seen, withoutFix } from '../cause.ts'
import { type ManifestPlace, set } from '../manifest-place.ts'
import { namedClaims } from '../named-claims.ts'
import type { PageSummary } from '../page-summary.ts'
import { cursorNames } from '../names-to-try.ts'
import { nextAddress, requestOption, tokenPlaces, whereWords } from '../page-token-options.ts'
import { readPlaces } from '../missing-paths.ts'
import { tryInOrder } from '../trial.ts'
import { afterLast } from './after-last.ts'
import { nextNumber } from './next-number.ts'
import { stopDoubt } from './wrong-stop.ts'

export const wrongCursor: Cause = async (subject, tools) => {
  const { receipt, pages, pagination, place, read } = subject
  const last = pages.at(-1)
  if (pagination.kind !== 'cursor' || last === undefined) return null
  const isEarly = receipt !== null && endsEarly(receipt)
  const isUnread = read.error !== null && read.error.code.startsWith('template/') && last.stop === 'error'
  if (!isEarly && !isUnread) return null
  // What may be wrong with the stop condition was tried before: without a word of the API it was not the condition.
  const doubt = stopDoubt(subject)
  const blamed =
    doubt !== null && (place === null || doubt.claims.nexts.some((one) => one.says === 'more')) ? doubt : null
  const how =
    doubt === null
      ? `\`${pagination.value.source.trim()}\` gives ${isUnread ? 'an error' : 'nothing'}, although the API names a next page`
      : 'the stop condition is met, although pages are missing'
  const says = blamed?.says ?? `The read ends after page ${last.number}, where ${how}.`
  const evidence = [
    ...(isEarly ? [seen(`Page ${last.number}: ${receipt.reason}${receipt.at ? ` (${receipt.at})` : ''}.`, last)] : []),
    ...(isUnread ? [seen(read.error?.message ?? '', last)] : []),
  ]
  if (place !== null) {
    const places = cursorPlacesIn(last, read.rules.recordPath)
    const elsewhere = places.flatMap((one) => readingAt(subject, place, one, says, evidence))
    const after = afterLast(subject, place, 'missing/wrong-cursor', { says, evidence })
    const counted = nextNumber(subject, place, 'missing/wrong-cursor', { says, evidence })
    const found = await tryInOrder(subject, [...elsewhere, ...counted, ...after], tools)
    if (found !== null) return found
  }
  if (!isEarly) return null
  return withoutFix({
    code: blamed === null ? 'missing/wrong-cursor' : 'missing/stop-condition',
    fault: 'manifest',
    says,
    evidence,
    advice:
      `${subject.whyNot} Check the response of page ${last.number} for ${blamed === null ? 'the value that asks for the next page' : 'what says that no page follows'}.`.trim(),
  })
}

/** A condition on the data may end a read on purpose; where the API says that more follows, it does not. */
function endsEarly({ verdict, stop }: Receipt): boolean {
  return verdict === 'incomplete' && (stop === 'no-cursor' || stop === 'stop-condition')
}

/** What would ask for the page that is named here; null where none is. */
export function tokenAt(place: CursorPlace | undefined, { request }: PageSummary): PageToken | null {
  if (place === undefined) return null
  const { value, isLink } = place
  if (!isLink) return { value }
  return isUrl(String(value), request.url) ? { value, url: new URL(String(value), request.url).href } : null
}

/** The token goes where it went; only a link must be followed as one, and a value that was none must be placed. */
export function readingAt(
  subject: Case,
  place: ManifestPlace,
  cursor: CursorPlace,
  says: string,
  evidence: readonly Evidence[],
): Hypothesis[] {
  const { pagination } = subject
  const found = seenAt(cursor, evidence)
  const stop = stopWith(subject, cursor)
  const strategy = set(place.strategy, { cursor_value: cursor.template, ...stop.edit })
  const one = (fix: Hypothesis['fix'], value?: string | number): Hypothesis => ({
    code: 'missing/wrong-cursor',
    why: `whether ${cursor.at} asks for the next page`,
    says,
    evidence: found,
    fix,
    ...(value !== undefined && { firstTry: { value } }),
    ...(stop.orElse !== null && {
      orElse: {
        says: `Stop where the API says that no page follows: \`${stop.orElse}\`.`,
        edits: set(place.strategy, { stop_condition: stop.orElse }),
      },
    }),
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

type Stop = {
  readonly edit: { readonly stop_condition?: string | undefined }
  /** For a cursor that does not end by itself. */
  readonly orElse: string | null
}

/** What becomes of the stop condition: one that reads what the response has is kept, and a cursor that may be there on the last page gets the flag's. */
function stopWith({ pagination, pages, receipt, read }: Case, cursor: CursorPlace): Stop {
  const last = pages.at(-1)
  if (cursor.stopCondition !== undefined || cursor.isLink || last === undefined || pagination.kind !== 'cursor')
    return { edit: { stop_condition: cursor.stopCondition }, orElse: null }
  const { stopWhen } = pagination
  const isRight =
    stopWhen !== null && receipt?.stop !== 'stop-condition' && readPlaces(stopWhen.source, last).missing.length === 0
  if (isRight) return { edit: {}, orElse: null }
  const flag = stopAtFlag(namedClaims(last, read.rules.recordPath))
  const endsByItself = /next/i.test(cursor.field)
  return endsByItself
    ? { edit: { stop_condition: undefined }, orElse: flag }
    : { edit: { stop_condition: flag ?? undefined }, orElse: null }
}

function seenAt({ at, value }: CursorPlace, evidence: readonly Evidence[]): Evidence[] {
  const shown = String(value)
  const text = shown.length > 60 ? `${shown.slice(0, 60)}…` : shown
  const pages = evidence.flatMap((one) => one.pages).slice(-1)
  return [...evidence, { says: `At ${at} it has \`${text}\`.`, pages }]
}
