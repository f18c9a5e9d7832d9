/** The stop condition is met on the first page although more follows: it may be true where it should be false. */
import { isSamePlace, placeName } from '../../claims/response-place.ts'
import { ownPlacesOf } from '../../claims/declared/declared-places.ts'
import type { Case, Hypothesis } from '../case.ts'
import type { Evidence, Finding } from '../diagnosis.ts'
import { seen, withoutFix } from '../examine.ts'
import { set } from '../manifest-place.ts'
import { namedClaims } from '../named-claims.ts'
import { negated } from '../negate-condition.ts'
import { continues } from '../trial.ts'
import type { WalkedPage } from '../walked-page.ts'

type Inverted = {
  /** The opposite condition, to be read to its end; null where it cannot be written. */
  readonly hypothesis: Hypothesis | null
  /** What is reported where it cannot be tried; null where it is a guess. */
  readonly said: Finding | null
}

/** Null where the condition is not met on the first page, or rightly. */
export function invertedStop(subject: Case): Inverted | null {
  const { pagination, pages, receipt, place, walk } = subject
  const [first, ...others] = pages
  if (pagination.kind !== 'cursor' || pagination.stopWhen === null || first === undefined) return null
  const stopsAtOnce = receipt?.stop === 'stop-condition' && others.length === 0 && first.received > 0
  if (!stopsAtOnce || walk.rules.mayStopEarly || !readsAnswer(pagination.stopWhen)) return null
  const doubt = doubtIn(subject, first)
  if (doubt === null) return null
  const condition = pagination.stopWhen.source.trim()
  const right = negated(condition)
  const says = `The stop condition \`${condition}\` is inverted: it is true on page 1, although more pages follow.`
  const hypothesis: Hypothesis | null =
    place === null || right === null
      ? null
      : {
          code: 'missing/stop-inverted',
          why: 'whether more pages follow with the opposite stop condition',
          says,
          evidence: doubt.evidence,
          fix: {
            says: `Negate the stop condition: \`${right}\`.`,
            edits: set(place.strategy, { stop_condition: right }),
          },
          glance: 0,
          // The end must come by the condition itself: one that is never met was not inverted, but of no use.
          isShownBy: (after) =>
            continues(subject, after) && (after.isCut || after.pages.at(-1)?.stop === 'stop-condition'),
        }
  const advice =
    `${subject.whyNot} Stop where the flag says that no page follows, not where it says that one does.`.trim()
  const said = withoutFix({ code: 'missing/stop-inverted', fault: 'manifest', says, evidence: doubt.evidence, advice })
  return { hypothesis, said: doubt.isOfCondition ? said : null }
}

/** A condition on how many records came is wrong by its number, never by its sign. */
function readsAnswer({ names, source }: { readonly names: ReadonlySet<string>; readonly source: string }): boolean {
  const isOfSize = names.has('last_page_size') || /\|\s*(length|count)\b/.test(source)
  return !isOfSize && (names.has('response') || names.has('headers'))
}

type Doubt = {
  readonly evidence: readonly Evidence[]
  /** The condition reads the very value by which the API says that more follows. */
  readonly isOfCondition: boolean
}

/** Null where what the API says, by name, agrees with the end. */
function doubtIn({ walk, pagination, receipt }: Case, first: WalkedPage): Doubt | null {
  const { nexts, numbers } = namedClaims(first, walk.rules.recordPath)
  const more = nexts.find(({ says }) => says === 'more')
  const total = numbers.find(({ counts, isNamed }) => counts === 'records' && isNamed)
  const isMet = total?.value === first.received && !walk.rules.isSliced
  if (more !== undefined && !isMet) {
    const own = ownPlacesOf(pagination, walk.rules.recordPath)
    const isOfCondition = more.kind === 'flag' && own.some(({ place }) => isSamePlace(place, more.place))
    return {
      evidence: [seen(`Page 1 says that another one follows (${placeName(more.place)}).`, first)],
      isOfCondition,
    }
  }
  const isEnd = nexts.some(({ says }) => says === 'end')
  if (isMet || isEnd) return null
  const counted = total !== undefined && total.value > first.received
  const words = counted
    ? `The API counts ${total.value} records (${placeName(total.place)}), and page 1 has ${first.received}.`
    : `The read ends after page 1: ${receipt?.reason ?? 'the stop condition is met'}.`
  return { evidence: [seen(words, first)], isOfCondition: false }
}
