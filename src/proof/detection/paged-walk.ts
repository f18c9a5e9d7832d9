/** An API that answers otherwise once a page is asked for → its first page as it is then, asked for on every request. */
import type { Tried } from './confirm.ts'
import type { Mover } from './guesses.ts'
import { isSamePath } from './leaves.ts'
import type { Shown } from './pages.ts'
import { isSameSlot, type Put } from './question.ts'
import { isSlotOf } from './slots.ts'
import { probe, type Walk } from './walk.ts'

/** The same where pages are like the first answer; null where their first one cannot be asked for. */
export async function pagedWalk(walk: Walk, mover: Mover, tried: readonly Tried[]): Promise<Walk | null> {
  const other = tried.findLast((one) => isUnlike(one, walk, mover))?.probed.page
  if (!other) return walk
  if (mover.kind === 'after') return null
  const first: Put = { slot: mover.slot, value: mover.kind === 'page' ? mover.base : mover.kind === 'position' ? 1 : 0 }
  const needed = [...walk.needed.filter(({ slot }) => !isSameSlot(slot, mover.slot)), first]
  const inShape: Walk = { ...walk, reading: { ...walk.reading, path: other.path }, needed }
  const page = (await probe(inShape, 'What is its first page, once it is paged?', []))?.page
  if (!page || !isSamePath(page.path, other.path)) return null
  const isFirst = page.keys.length > 0 && page.keys[0] === walk.first.keys[0]
  return isFirst ? { ...inShape, first: page } : null
}

/** Its records are elsewhere, or there are fewer, all of them known: the first answer was no page. */
function isUnlike({ puts, probed: { page } }: Tried, { first, reading }: Walk, mover: Mover): boolean {
  if (page === null || page.keys.length === 0 || !puts.some(({ slot }) => isSameSlot(slot, mover.slot))) return false
  if (!isSamePath(page.path, reading.path)) return true
  return !puts.some(({ slot }) => isSlotOf('size', slot)) && isWithin(page, first)
}

function isWithin(page: Shown, first: Shown): boolean {
  const last = page.keys.at(-1)
  const at = last === undefined ? -1 : first.keys.indexOf(last)
  return page.keys.length < first.keys.length && at >= 0 && at < first.keys.length - 1
}
