/** A list → how long its pages are: full ones that the manifest goes on after, and a last one that it ends at. */
import type { Asked } from '../mirror/asked.ts'
import { linkTo, type OpenList } from '../mirror/open-list.ts'
import { pageShape } from '../mirror/page-shape.ts'
import { countsOf } from '../mirror/paging.ts'

export type PageSizes = {
  readonly limit: number
  /** Records of the last page. */
  readonly tail: number
  /** Records in all. */
  readonly size: number
}

/** Faults of a single page show on the third; one more page must follow it. */
const fullPages = 3

/** Null where no answer is found that makes the manifest go on, or none that makes it end. */
export function pageSizesOf({ paging, record }: OpenList, asked: Asked): PageSizes | null {
  const sizeOf = (page: number, goesOn: boolean) =>
    countsOf(paging, 'own', page, goesOn).find((count) => {
      const records = Array.from({ length: count }, (_, index) => record(asked, index + 1, 0, false))
      const next = page + 1
      return pageShape(paging, { goesOn, page, next, link: linkTo(asked, next), records, taken: new Set() }) !== null
    })
  if (!paging.isTold) {
    const size = sizeOf(1, false)
    return size === undefined ? null : { limit: Math.max(size, 1), tail: size, size }
  }
  const limit = sizeOf(1, true)
  const tail = sizeOf(fullPages + 1, false)
  return limit === undefined || tail === undefined ? null : { limit, tail, size: fullPages * limit + tail }
}
