/** `page: 1, pagetotal: 12` in an answer → pages that are requested until the last one says that it is the last. */
import { wordsOf } from '../names/name-words.ts'
import { isNameOf } from '../names/paging-names.ts'
import type { Sizing } from './find-size.ts'
import type { Mover } from './guesses.ts'
import { leavesBeside } from './leaves.ts'
import type { Shown } from './pages.ts'
import type { Put } from './question.ts'
import { probe, type Walk } from './walk.ts'

export type PageCount = {
  /** Where an answer says which page it is, and how many there are. */
  readonly position: readonly string[]
  readonly pages: readonly string[]
}

/** Null where the last page does not say of itself that it is the last. */
export async function findPageCount(
  walk: Walk,
  { kind, slot, base }: Mover,
  sizing: Sizing,
): Promise<PageCount | null> {
  if (kind !== 'page' || walk.needed.length > 0) return null
  const size: Put[] = sizing.slot === null ? [] : [{ slot: sizing.slot, value: sizing.pageSize }]
  const second = await probe(walk, 'Does a page say which one it is?', [{ slot, value: base + 1 }, ...size])
  const named = second?.page ? namedIn(second.page, walk, base + 1) : null
  if (named === null) return null
  const value = base + named.count - 1
  const last = await probe(walk, 'Is it the last one by its number?', [{ slot, value }, ...size])
  if (!last?.page || last.page.keys.length === 0) return null
  const again = namedIn(last.page, walk, value)
  return again !== null && again.count === named.count ? named : null
}

type Named = PageCount & { readonly count: number }

function namedIn({ answer }: Shown, { reading }: Walk, number: number): Named | null {
  const numbers = leavesBeside(answer.body, reading.path).flatMap(({ path, value }) =>
    typeof value === 'number' ? [{ path, value, name: path.at(-1) ?? '' }] : [],
  )
  const position = numbers.find(({ name, value }) => value === number && isNameOf('page', name))
  const pages = numbers.find(({ name, value }) => value > 1 && isPageCount(name))
  if (position === undefined || pages === undefined) return null
  return { position: position.path, pages: pages.path, count: pages.value }
}

/** `pagetotal`, `page_count`, `totalPages`, `pages`, and no `per_page`. */
function isPageCount(name: string): boolean {
  const letters = wordsOf(name).join('')
  return (
    /^(total|num|number|nb|no)?(of)?pages?(total|count|s)?$/.test(letters) && letters !== 'page' && letters !== 'pageno'
  )
}
