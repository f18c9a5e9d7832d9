/** Pages go on after a field of the last record that other records share: those come twice, or never. */
import { followPath } from '../../../follow-path.ts'
import { isObject } from '../../../members.ts'
import type { Case } from '../case.ts'
import { type Examine, seen, withoutFix } from '../examine.ts'
import { tryInOrder } from '../trial.ts'
import type { WalkedPage } from '../walked-page.ts'
import { afterLast } from './after-last.ts'

export const sharedCursor: Examine = async (subject, tools) => {
  const { repeats, place, receipt, pages } = subject
  const field = lastRecordField(subject)
  const isWrong = repeats.repeated > 0 || receipt?.verdict === 'incomplete'
  if (field === null || !isWrong) return null
  const tie = pages.map((page) => tieOn(page, subject, field)).find((one) => one !== null)
  if (tie === undefined || tie === null) return null
  const says = `Pages go on after the ${field} of the last record, which several records share: some come twice or never.`
  const evidence = [
    seen(`Page ${tie.page.number} ends with ${tie.records} records whose ${field} is ${tie.value}.`, tie.page),
  ]
  const hypotheses = place === null ? [] : afterLast(subject, place, 'duplicates/cursor-not-unique', { says, evidence })
  const found = await tryInOrder(subject, hypotheses, tools)
  if (found !== null) return found
  return withoutFix({
    code: 'duplicates/cursor-not-unique',
    fault: 'manifest',
    says,
    evidence,
    advice:
      `${subject.whyNot} Go on after a field that no two records share, or let the API sort by such a field too.`.trim(),
  })
}

/** `{{ last_record['updated_at'] }}` → `updated_at` */
function lastRecordField({ pagination }: Case): string | null {
  if (pagination.kind !== 'cursor') return null
  const { source } = pagination.value
  const [, dotted, quoted] =
    /^\s*\{\{-?\s*last_records?(?:\[-1\])?(?:\.(\w+)|\[['"]([^'"]+)['"]\])\s*-?\}\}\s*$/.exec(source) ?? []
  return dotted ?? quoted ?? null
}

type Tie = { readonly page: WalkedPage; readonly records: number; readonly value: string }

/** The last records of a page with one value in the field; null where the last one has it alone. */
function tieOn(page: WalkedPage, { walk }: Case, field: string): Tie | null {
  const { recordPath } = walk.rules
  const list = page.answer === null || recordPath === null ? null : followPath(page.answer.body, recordPath)
  if (!Array.isArray(list)) return null
  const values = list.map((record: unknown) => (isObject(record) ? String(record[field]) : ''))
  const last = values.at(-1) ?? ''
  const records = values.length - 1 - values.findLastIndex((value) => value !== last)
  return records > 1 ? { page, records, value: last.slice(0, 40) } : null
}
