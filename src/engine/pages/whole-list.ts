/** Lists that decide what is read, of streams or of properties: what they lack is read nowhere else. */
import type { Slice } from '../slices/slice.ts'
import type { Page } from './page.ts'
import type { JudgeSlices } from './read-parents.ts'
import type { OpenStream } from './stream.ts'

/** A list whose every response the manifest ignores has no members. Without `judge` nothing is known to be missing. */
export function openWholeList(stream: OpenStream, judge: JudgeSlices | undefined) {
  const judging = judge?.(stream)
  let isSeen = false
  return {
    observe(slice: Slice, page: Page): void {
      judging?.passing(slice, page)
      if (page.list !== 'ignored') isSeen = true
    },
    /** After the last page: why the list is known to lack members; null where it is not. */
    shortage(): string | null {
      const judged = judging?.judged()
      return isSeen && judged?.verdict === 'incomplete' ? judged.reason : null
    },
  }
}
