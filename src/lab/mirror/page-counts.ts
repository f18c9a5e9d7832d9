/** A member that a paginator reads → what an API that counts would say there. */
import { meaningsOf } from '../../proof/claims/claim-names.ts'
import type { Path } from './place.ts'

/** Records and pages of a whole walk. */
export type Counts = { readonly total: number; readonly pages: number }

type Counting = { readonly counts?: Counts; readonly page: number; readonly goesOn: boolean }

/** Nothing where the name says nothing. A walk that is answered with other numbers would give a receipt cause for alarm. */
export function countedAs(path: Path, { counts, page, goesOn }: Counting): unknown[] {
  if (counts === undefined) return []
  const name = String(path.at(-1))
  const meant = meaningsOf(name).flatMap(({ kind }): unknown[] => {
    switch (kind) {
      case 'total':
        return [counts.total]
      case 'pages':
      case 'last-page':
        return [counts.pages, String(counts.pages)]
      case 'has-more':
        return [goesOn]
      case 'is-last':
        return [!goesOn]
      case 'next':
      case 'previous':
        return []
    }
  })
  const isPageNumber = /^(?:current_?)?page(?:_?(?:number|index|num|no))?$/i.test(name)
  return isPageNumber ? [...meant, page, page - 1] : meant
}
