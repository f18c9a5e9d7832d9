/** No records, although the answer holds a list of them: the path to them is wrong. */
import { followPath } from '../../../follow-path.ts'
import { isList, isObject } from '../../../members.ts'
import { count } from '../../../words.ts'
import type { Hypothesis } from '../case.ts'
import { type Examine, seen, withoutFix } from '../examine.ts'
import { tryInOrder } from '../trial.ts'

export const recordPath: Examine = async (subject, tools) => {
  const { walk, pages, place } = subject
  const { extractor } = walk.plan.selector
  const [first] = pages
  const isEmpty = pages.every(({ received }) => received === 0)
  if (first?.answer === undefined || first.answer === null || !isEmpty || extractor.kind === 'custom') return null
  // An empty list, or a null, at the place that is looked at is the API's word that there is nothing.
  const looksAt = walk.rules.recordPath ?? []
  if (looksAt.includes('*') || followPath(first.answer.body, looksAt) !== undefined) return null
  const lists = listsIn(first.answer.body).filter(({ path }) => path.join() !== walk.rules.recordPath?.join())
  const [best] = lists
  if (best === undefined) return null
  const looked = looksAt.join('.') || 'the whole answer'
  const says = `The manifest looks for records at ${looked}; the answer has ${count(best.length, 'record')} at ${shown(best.path)}.`
  const evidence = [
    seen(`Page 1 brought no records.`, first),
    seen(`Its answer has a list of ${count(best.length, 'object')} at ${shown(best.path)}.`, first),
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
            // Whatever else is wrong shows only now.
            isShownBy: (after) => (after.pages[0]?.received ?? 0) > 0,
          }),
        )
  const found = await tryInOrder(subject, hypotheses, tools)
  if (found !== null || place !== null) return found
  const advice = `Set field_path to ${JSON.stringify(best.path)}. ${subject.whyNot}`
  return withoutFix({ code: 'missing/record-path', fault: 'manifest', says, evidence, advice })
}

function shown(path: readonly string[]): string {
  return path.length === 0 ? 'the top of the answer' : path.join('.')
}

type List = { readonly path: string[]; readonly length: number }

const deepest = 4
const mostMembers = 100

/** Lists of objects around which nothing else lists: the longest first, then the nearest to the top. */
function listsIn(body: unknown): List[] {
  const found: List[] = []
  const look = (value: unknown, path: string[]) => {
    if (isList(value)) {
      if (value.length > 0 && value.every(isObject) && !aboutErrors.test(path.at(-1) ?? '')) {
        found.push({ path, length: value.length })
      }
      return
    }
    if (!isObject(value) || path.length >= deepest || Object.keys(value).length > mostMembers) return
    for (const [name, inner] of Object.entries(value)) look(inner, [...path, name])
  }
  look(body, [])
  return found.toSorted((one, other) => other.length - one.length || one.path.length - other.path.length)
}

/** Lists that stand beside records, or in their place when something went wrong. */
const aboutErrors = /^(errors?|warnings?|messages?|_?links?|facets|filters|aggregations)$/i
