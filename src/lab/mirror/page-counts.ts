/** A member that a paginator reads → what an API that counts would say there. */
import { meaningsOf } from '../../insight/claim-names.ts'
import type { Path } from './place.ts'

/** Of a walk, and of one page of it. */
export type Counts = {
  readonly total: number
  readonly pages: number
  /** Records per page. */
  readonly size: number
  /** Records before this page. */
  readonly offset: number
}

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
  const plain = name.replaceAll(/[^a-z]/gi, '').toLowerCase()
  if (/^(?:current)?page(?:number|index|no)?$|^pagenum$/.test(plain)) return [...meant, page, page - 1]
  if (/^(?:current)?(?:offset|skip|start|startat|startindex|from)$/.test(plain)) return [...meant, counts.offset]
  if (/^(?:perpage|pagesize|limit|size|maxresults|itemsperpage)$/.test(plain)) return [...meant, counts.size]
  return meant
}
