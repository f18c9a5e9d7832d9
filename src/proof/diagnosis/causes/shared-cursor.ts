/** The next page is requested after a field of the last record that other records share: those are repeated or skipped. */
import { pathReadBy } from '../../../engine/template/syntax/path.ts'
import { followPath } from '../../../std/values/get-at.ts'
import { count } from '../../../std/text/format-count.ts'
import { requestOnce, tryInOrder, type TrialTools } from '../trial.ts'
import type { Case, Hypothesis } from '../case.ts'
import type { Evidence, Finding } from '../diagnosis.ts'
import { type Cause, seen, withoutFix } from '../cause.ts'
import { type ManifestPlace, set } from '../manifest-place.ts'
import { requestOption, usualPlaces } from '../page-token-options.ts'
import { repeatsIn } from '../repeats.ts'
import { keyName, type PageSummary } from '../page-summary.ts'
import { afterLast } from './after-last.ts'

export const sharedCursor: Cause = async (subject, tools) => {
  const { repeats, pages } = subject
  const path = lastRecordField(subject)
  if (path === null) return null
  const field = path.join('.')
  const ties = pages.map((page) => tieOn(page, subject, path)).filter((one) => one !== null)
  const [tie] = ties
  if (tie === undefined) return null
  if (repeats.repeated > 0) return findingFor(subject, tools, field, tie, [])
  const lost = wholePages(subject, path, ties) ?? (await lostAmong(subject, tools, path, ties))
  return lost && findingFor(subject, tools, field, lost.tie, [lost.evidence])
}

async function findingFor(
  subject: Case,
  tools: TrialTools,
  field: string,
  tie: Tie,
  more: readonly Evidence[],
): Promise<Finding> {
  const { place } = subject
  const says = `The next page is requested after the ${field} of the last record, which several records share: some are repeated or skipped.`
  const evidence = [
    seen(`Page ${tie.page.number} ends with ${tie.records} records whose ${field} is ${shown(tie.value)}.`, tie.page),
    ...more,
  ]
  const code = 'duplicates/cursor-not-unique'
  const hypotheses =
    place === null
      ? []
      : [...afterLast(subject, place, code, { says, evidence }), ...afterKey(subject, place, field, { says, evidence })]
  const found = await tryInOrder(subject, hypotheses, tools)
  if (found !== null) return found
  return withoutFix({
    code,
    fault: 'manifest',
    says,
    evidence,
    advice:
      `${subject.whyNot} Use a cursor that no two records share, or let the API sort by such a field too. If the API can compare inclusively (\`…_gte\`), use that, and a sync mode that removes duplicates.`.trim(),
  })
}

/** `{{ last_record['updated_at'] }}` → `updated_at`, `{{ response.data[-1].meta.day }}` → `meta.day` */
function lastRecordField({ pagination, read }: Case): readonly string[] | null {
  if (pagination.kind !== 'cursor') return null
  const [root, ...names] = placeIn(pagination.value.source) ?? []
  const path = read.rules.recordPath
  switch (root) {
    case 'last_record':
      return names.length > 0 ? names : null
    case 'last_records':
      return names[0] === '-1' && names.length > 1 ? names.slice(1) : null
    case 'response': {
      const inside = path === null ? [] : [...path, '-1']
      const isLast = inside.length > 1 && inside.every((name, index) => names[index] === name)
      return isLast && names.length > inside.length ? names.slice(inside.length) : null
    }
    default:
      return null
  }
}

function placeIn(source: string): readonly string[] | null {
  return pathReadBy(source)?.map(String) ?? null
}

type Tie = {
  readonly page: PageSummary
  readonly records: number
  readonly value: unknown
  /** The value before it on the page; undefined where the whole page has one value. */
  readonly before: unknown
}

/** The last records of a page with one value in the field; null where the last one has it alone. */
function tieOn(page: PageSummary, subject: Case, path: readonly string[]): Tie | null {
  const values = valuesOn(page, subject, path)
  const last = values.at(-1)
  const at = values.findLastIndex((value) => !isEqual(value, last))
  const records = values.length - 1 - at
  return records > 1 && last !== undefined && last !== null ? { page, records, value: last, before: values[at] } : null
}

function valuesOn({ response }: PageSummary, { read }: Case, path: readonly string[]): unknown[] {
  const { recordPath } = read.rules
  const list = response === null || recordPath === null ? null : followPath(response.body, recordPath)
  return Array.isArray(list) ? list.map((record) => followPath(record, path)) : []
}

function isEqual(one: unknown, other: unknown): boolean {
  return String(one) === String(other)
}

function shown(value: unknown): string {
  return String(value).slice(0, 40)
}

type Lost = { readonly tie: Tie; readonly evidence: Evidence }

/** A full page of one value, and the next page begins with another: what did not fit on it is skipped. */
function wholePages(subject: Case, path: readonly string[], ties: readonly Tie[]): Lost | null {
  const { pages, read } = subject
  for (const tie of ties) {
    const next = pages[pages.indexOf(tie.page) + 1]
    const [begins] = next === undefined ? [] : valuesOn(next, subject, path)
    const isFull = tie.page.received === (read.rules.askedSize ?? next?.received)
    if (tie.before !== undefined || begins === undefined || !isFull || isEqual(begins, tie.value)) continue
    const says = `Page ${tie.page.number} is full and has no other ${path.join('.')}; page ${next?.number} begins with ${shown(begins)}.`
    return { tie, evidence: seen(says, tie.page) }
  }
  return null
}

/** Requests with which a loss is shown; a page that ends in a tie need not lose anything. */
const mostAsked = 2

/**
 * Where pages are compared exclusively, what shares the last value and is not on the page never comes. The page after the
 * value before it shows all of them.
 */
async function lostAmong(
  subject: Case,
  tools: TrialTools,
  path: readonly string[],
  ties: readonly Tie[],
): Promise<Lost | null> {
  const field = path.join('.')
  const known = new Set(subject.pages.flatMap(({ prints }) => prints))
  // What comes after the last page that was read is not known.
  const open = ties.filter(
    ({ page, before }) => page !== subject.pages.at(-1) && before !== undefined && before !== null,
  )
  for (const tie of open.slice(0, mostAsked)) {
    const why = `whether records share the ${field} ${shown(tie.value)} and never came`
    const again = await requestOnce(subject, tools, why, { value: tie.before as {} })
    const page = again?.error === null ? again.pages[0] : undefined
    const values = page === undefined ? [] : valuesOn(page, subject, path)
    const lost = page?.prints.filter((print, index) => !known.has(print) && isEqual(values[index], tie.value))
    if (lost === undefined || lost.length === 0) continue
    const says = `Requested after ${shown(tie.before)}, the API sends ${count(lost.length, 'more record')} with this ${field} that never came.`
    return { tie, evidence: seen(says, tie.page) }
  }
  return null
}

const mostNames = 4

/** The key of the last record, under a name that APIs have for it. */
function afterKey(
  subject: Case,
  place: ManifestPlace,
  field: string,
  said: Pick<Hypothesis, 'says' | 'evidence'>,
): Hypothesis[] {
  const { pagination, read, pages } = subject
  const key = keyName(read.plan, pages[0])
  const token = pagination.kind === 'cursor' ? pagination.token : null
  if (key === null || key === field || token === null || token.into === 'path') return []
  const name = token.into === 'json' ? token.path.join('.') : token.name
  const [into = 'request_parameter'] = usualPlaces(place)
  const derived = name.includes(field) ? [name.replace(field, key)] : []
  const names = [...new Set([...derived, 'after', 'starting_after', 'after_id', 'since_id'])].filter(
    (one) => one !== name,
  )
  const known = new Set(pages.flatMap(({ prints }) => prints))
  return names.slice(0, mostNames).map((one) => ({
    ...said,
    code: 'duplicates/cursor-not-unique',
    why: `whether ${one} takes the ${key} of the last record`,
    fix: {
      says: `Send the ${key} of the last record as ${one}.`,
      edits: [
        ...set(place.strategy, { cursor_value: `{{ last_record[${JSON.stringify(key)}] }}` }),
        ...set(place.paginator, { page_token_option: requestOption(into, one) }),
      ],
    },
    shortRead: 2,
    // What was lost comes right after the page that ended in the tie.
    isShownBy: ({ error, pages: tried }) =>
      error === null &&
      repeatsIn(tried).repeated === 0 &&
      tried.some(({ prints }) => prints.some((print) => !known.has(print))),
  }))
}
