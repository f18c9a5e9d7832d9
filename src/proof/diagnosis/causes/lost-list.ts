/** A later page lacks the list that the first page has: it has another name there, or is left out. */
import { followPath } from '../../../std/values/get-at.ts'
import { isObject } from '../../../std/values/objects.ts'
import { count } from '../../../std/text/format-count.ts'
import { type Cause, seen, withoutFix } from '../cause.ts'
import { objectListsIn } from '../object-lists.ts'
import type { PageSummary } from '../page-summary.ts'

export const lostList: Cause = async ({ pages, read, receipt }) => {
  const path = read.rules.recordPath ?? []
  const list = path.includes('*') ? path.slice(0, path.indexOf('*')) : path
  const [first, ...others] = pages
  if (list.length === 0 || first === undefined || !hasList(first, list)) return null
  const page = others.find((one) => one.received === 0 && isObject(one.response?.body) && !hasList(one, list))
  if (page === undefined || page.response === null) return null
  const [other] = objectListsIn(page.response.body)
  // An envelope that is left out with the last page is no fault.
  if (other === undefined && receipt?.verdict !== 'incomplete') return null
  const [was, now] = [list.join('.'), other?.path.join('.') ?? '']
  const names = Object.keys(page.response.body as object).slice(0, mostNames)
  const instead =
    other === undefined
      ? `That answer has ${names.length === 0 ? 'no members' : names.map((name) => `\`${name}\``).join(', ')}.`
      : `There is another list at \`${now}\`, with ${count(other.length, 'record')}.`
  return withoutFix({
    code: 'missing/record-path',
    fault: 'api',
    says: `The list at \`${was}\` is gone from page ${page.number}. ${instead}`,
    evidence: [
      seen(`Page 1 has ${count(first.received, 'record')} at \`${was}\`.`, first),
      seen(`Page ${page.number} has nothing at \`${was}\`, so none of its records was read.`, page),
    ],
    advice:
      other === undefined
        ? 'Open the address of that page: the API answers it in another way than the first one.'
        : `The API names its list in two ways, and \`field_path\` can name one. Ask its owner, or read it with a custom extractor that takes \`${was}\` or \`${now}\`.`,
  })
}

const mostNames = 6

function hasList({ response }: PageSummary, list: readonly string[]): boolean {
  return response !== null && followPath(response.body, list) !== undefined
}
