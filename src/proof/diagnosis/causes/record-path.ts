/** No records, or an envelope as the only record, although the response has a list: the record path is wrong. */
import { followPath } from '../../../std/values/get-at.ts'
import { isList, isObject } from '../../../std/values/objects.ts'
import { nearMiss } from '../../../std/text/near-miss.ts'
import { count, number } from '../../../std/text/format-count.ts'
import type { Case, Hypothesis } from '../case.ts'
import type { Evidence } from '../diagnosis.ts'
import { listsInEnvelope, type ObjectList, objectListsIn } from '../object-lists.ts'
import { type Cause, seen, withoutFix } from '../cause.ts'
import { type ManifestPlace, set } from '../manifest-place.ts'
import { namedClaims } from '../named-claims.ts'
import type { PageSummary } from '../page-summary.ts'
import { tryInOrder } from '../trial.ts'

export const recordPath: Cause = async (subject, tools) => {
  const { read, pages, place } = subject
  const { extractor } = read.plan.selector
  const [first] = pages
  if (first === undefined || extractor.kind !== 'path' || extractor.expansion !== null) return null
  const declaredPath = read.rules.recordPath ?? []
  const lists = byNearMiss(otherLists(subject, first, declaredPath), declaredPath)
  const [best] = lists
  if (best === undefined) return null
  const usedPath = shown(declaredPath)
  const isOne = first.received > 0
  const meant = meantBy(best, declaredPath)
  const says =
    `The manifest reads records at ${usedPath}; the response has ${count(best.length, 'record')} at ${shown(best.path)}.` +
    (meant === null ? '' : ` Did you mean \`${meant}\`?`)
  const evidence = [
    isOne
      ? seen(`The one record of page 1 is the object around the list: it has ${namesIn(first)}.`, first)
      : seen(`Page 1 has no records.`, first),
    seen(`Its response has a list of ${count(best.length, 'object')} at ${shown(best.path)}.`, first),
  ]
  const hypotheses =
    place === null
      ? []
      : lists.slice(0, 2).map(
          ({ path }): Hypothesis => ({
            code: 'missing/record-path',
            why: `whether the records are at ${shown(path)}`,
            says,
            evidence,
            fix: {
              says: `Take the records from ${shown(path)}.`,
              edits: [{ path: [...place.selector, 'extractor', 'field_path'], value: path }],
            },
            isPartial: true,
            isShownBy: (after) => (after.pages[0]?.received ?? 0) > 0,
          }),
        )
  const injected = place === null ? [] : onFirstRequest(subject, place, usedPath, evidence)
  const found = await tryInOrder(subject, [...hypotheses, ...injected], tools)
  if (found !== null) return found
  // A path that was tried without success is no advice either.
  const advice =
    place === null
      ? `Set field_path to ${JSON.stringify(best.path)}. ${subject.whyNot}`
      : `Compare the responses of the first two pages: no path was found that gives the records of both.`
  return withoutFix({ code: 'missing/record-path', fault: 'manifest', says, evidence, advice })
}

/** Some APIs answer in another shape once a page number is sent: the first request needs it too. */
function onFirstRequest(
  { pagination }: Case,
  { strategy }: ManifestPlace,
  usedPath: string,
  evidence: readonly Evidence[],
): Hypothesis[] {
  if ((pagination.kind !== 'offset' && pagination.kind !== 'page') || pagination.injectOnFirst) return []
  const what = pagination.kind === 'page' ? 'page number' : 'offset'
  return [
    {
      code: 'first-request/injection-required',
      why: `whether the first response has records at ${usedPath} when the ${what} is sent`,
      says: `The API answers in another shape without the ${what}: only with it are the records at ${usedPath}.`,
      evidence,
      fix: {
        says: `Send the ${what} on the first request too.`,
        edits: set(strategy, { inject_on_first_request: true }),
      },
      shortRead: 1,
      isPartial: true,
      isShownBy: (after) => (after.pages[0]?.received ?? 0) > 0,
    },
  ]
}

/** Lists that may be the records, where the manifest's path has none. */
function otherLists(
  { pages }: Case,
  { response, received }: PageSummary,
  declaredPath: readonly string[],
): ObjectList[] {
  if (response === null) return []
  const at = followPath(response.body, declaredPath)
  const within = declaredPath.slice(0, declaredPath.includes('*') ? declaredPath.indexOf('*') : declaredPath.length)
  if (received > 0) {
    // Every page brings one record, which is the object around a list of them.
    const isOne = pages.every((page) => page.received <= 1) && !declaredPath.includes('*')
    return isOne ? listsInEnvelope(at).map((list) => ({ ...list, path: [...within, ...list.path] })) : []
  }
  if (pages.some((page) => page.received > 0)) return []
  const lists = objectListsIn(response.body).filter(({ path }) => path.join() !== declaredPath.join())
  const isWide = declaredPath.includes('*')
  const holder = isWide ? followPath(response.body, within) : at
  if (holder === undefined || (isWide && isFilled(holder))) return lists
  // An empty list or null at the manifest's path means no records, unless the API reports a larger total.
  const counted = namedClaims({ response }, declaredPath).numbers.find((one) => one.counts === 'records' && one.isNamed)
  return isList(holder) && counted !== undefined && counted.value > 0
    ? lists.filter(({ length }) => length <= counted.value)
    : []
}

function isFilled(value: unknown): boolean {
  return isList(value) ? value.length > 0 : isObject(value) && Object.keys(value).length > 0
}

/** What is spelled almost like the path comes first. */
function byNearMiss(lists: readonly ObjectList[], declaredPath: readonly string[]): ObjectList[] {
  const isMeant = (list: ObjectList) => (meantBy(list, declaredPath) === null ? 1 : 0)
  return lists.toSorted((one, other) => isMeant(one) - isMeant(other))
}

/** The name in the right path that one in the wrong path is a misspelling of; null where it is another path. */
function meantBy({ path }: ObjectList, declaredPath: readonly string[]): string | null {
  if (path.length !== declaredPath.length) return null
  const wrong = declaredPath.findIndex((name, index) => name !== path[index])
  const isOnly = declaredPath.slice(wrong + 1).every((name, index) => name === path[wrong + 1 + index])
  const right = path[wrong]
  return wrong >= 0 && isOnly && right !== undefined ? (nearMiss(declaredPath[wrong] ?? '', [right]) ?? null) : null
}

const mostNames = 6

function namesIn({ shapes: [names = []] }: PageSummary): string {
  const rest = names.length - mostNames
  return names.slice(0, mostNames).join(', ') + (rest > 0 ? ` and ${number(rest)} more` : '')
}

function shown(path: readonly string[]): string {
  return path.length === 0 ? 'the top of the response' : path.join('.')
}
