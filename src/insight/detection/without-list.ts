/** An answer that holds no list of records → one thing, read as one record; or nothing that can be told. */
import { isObject, type Members } from '../../members.ts'
import type { Answer } from './asking.ts'
import { notPaginated } from './candidates.ts'
import type { Explanation } from './explain.ts'
import { moreClaimed } from './page-claims.ts'
import type { Reading } from './pages.ts'
import { idField } from './record-lists.ts'

export type WithoutList = Explanation & { readonly reading: Reading }

export function withoutList(answer: Answer): WithoutList {
  const { body } = answer
  const cannot = (says: string): WithoutList => ({
    answer: 'cannot-tell',
    says,
    candidates: [],
    records: [],
    endRule: null,
    reading: { path: [], id: null },
  })
  if (!isObject(body) || Object.keys(body).length === 0) return cannot('The answer holds no list of objects.')
  const more = moreClaimed({ answer, records: [body], keys: [''] }, { path: nowhere, id: null })
  if (more !== null) return cannot(`The answer holds no list of objects, and yet speaks of pages: ${more}.`)
  if (isMap(body))
    return cannot('The answer is an object of objects, which may be records by their names, or parts of one.')
  const candidate = notPaginated(1, [], null)
  return {
    answer: 'not-paginated',
    says: 'Not paginated: the answer is one object, and nothing in it speaks of pages.',
    candidates: [{ ...candidate, evidence: ['There is no list that could have pages.'] }],
    records: [body],
    endRule: null,
    reading: { path: [], id: idField([body]) },
  }
}

/** No member is called so: every one of them may speak of pages. */
const nowhere = ['']

function isMap(body: Members): boolean {
  const names = Object.keys(body)
  return names.length > 1 && names.every((name) => isObject(body[name]))
}
