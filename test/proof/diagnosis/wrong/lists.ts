/** Lists that have another name on a later page. */
import { cursorPaginator } from '../../../helpers/manifests.ts'
import { keyed } from '../served.ts'
import { byCursor, byPage, paging, total, type WrongManifest } from './apis.ts'

export const lists: readonly WrongManifest[] = [
  {
    what: 'the list has another name from page 2 on',
    answer: byCursor((rows, next, start) => ({ json: { [start === 0 ? 'data' : 'items']: rows, next } })),
    parts: { paginator: cursorPaginator('{{ response.next }}'), ...keyed },
    codes: ['missing/record-path'],
    says: /data.*items/,
    isFixed: false,
  },
  {
    what: 'the list has another name from page 2 on, by page number',
    answer: byPage(({ page, rows }) => ({ json: { [page === 1 ? 'data' : 'items']: rows } })),
    parts: { paginator: paging(), ...keyed },
    codes: ['missing/record-path'],
    says: /data.*items/,
    isFixed: false,
  },
  {
    what: 'renamed within its object',
    answer: byCursor((rows, next, start) => ({
      json: { result: { [start === 0 ? 'data' : 'items']: rows, cursor: next } },
    })),
    parts: { paginator: cursorPaginator('{{ response.result.cursor }}'), fieldPath: ['result', 'data'], ...keyed },
    codes: ['missing/record-path'],
    says: /result\.data.*result\.items/,
    isFixed: false,
  },
  {
    what: 'renamed on page 4 only',
    answer: byCursor((rows, next, start) => ({ json: { [start === 30 ? 'items' : 'data']: rows, next } })),
    parts: { paginator: cursorPaginator('{{ response.next }}'), ...keyed },
    codes: ['missing/record-path'],
    says: /page 4/,
    isFixed: false,
  },
  {
    what: 'renamed, and the total tells',
    answer: byCursor((rows, next, start) => ({ json: { [start === 0 ? 'data' : 'items']: rows, next, total } })),
    parts: { paginator: cursorPaginator('{{ response.next }}'), ...keyed },
    codes: ['missing/record-path'],
    isFixed: false,
  },
]
