/** Lists that decide what is read, of streams or of properties: where one is known to lack members, nothing is read by it. */
import { ConnectorError, type SourceLocation } from '../../std/errors.ts'
import type { Slice } from '../slices/slice.ts'
import type { Page } from './page.ts'
import type { JudgeSlices } from './read-parents.ts'
import type { OpenStream } from './stream.ts'

type List = {
  /** Without it nothing is refused. */
  readonly judge: JudgeSlices | undefined
  /** `list of properties` */
  readonly name: string
  readonly at?: SourceLocation | undefined
  readonly hint?: string
}

/** A list whose every response the manifest ignores has no members. */
export function openWholeList(stream: OpenStream, { judge, name, at, hint }: List) {
  const judging = judge?.(stream)
  let isSeen = false
  return {
    observe(slice: Slice, page: Page): void {
      judging?.passing(slice, page)
      if (page.list !== 'ignored') isSeen = true
    },
    /** After the last page. */
    end(): void {
      const judged = judging?.judged()
      if (!isSeen || judged?.verdict !== 'incomplete') return
      throw new ConnectorError('records/list-incomplete', `The ${name} is incomplete: ${judged.reason}.`, { at, hint })
    },
  }
}
