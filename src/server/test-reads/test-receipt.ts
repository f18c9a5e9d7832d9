/** The pages of a test read → its receipt: of the stream, and of its slices. */
import type { Page } from '../../engine/pages/page.ts'
import type { OpenStream } from '../../engine/pages/stream.ts'
import type { Slice } from '../../engine/slices/slice.ts'
import { openReceipts } from '../../proof/receipts/open-receipts.ts'
import { judgeFailure } from '../../proof/verdict/judge-slice.ts'
import type { ApiProblem } from '../wire/problem.ts'
import type { TestReceipt, WireSliceReceipt } from '../wire/receipt.ts'
import type { ReadEnd } from '../wire/test-read.ts'

export type OpenTestReceipt = {
  /** A page, or a part of one; slices are numbered as they begin. */
  readonly observe: (number: number, slice: Slice, part: Page) => void
  readonly end: (ending: ReadEnd['ending'], problem?: ApiProblem) => TestReceipt
}

/** Nobody looks at more of them on a screen. */
const mostSlices = 1000

export function openTestReceipt(stream: OpenStream): OpenTestReceipt {
  const receipts = openReceipts(stream)
  const ofSlices: WireSliceReceipt[] = []
  return {
    observe(number, slice, part) {
      const receipt = receipts.observe(slice, part)
      if (receipt === null || ofSlices.length >= mostSlices) return
      const { stream: _soFar, ...ofSlice } = receipt
      ofSlices.push({ slice: number, ...ofSlice })
    },
    end(ending, problem) {
      const proof = receipts.stream()
      if (ending === 'complete') return { ...proof, ofSlices }
      const judged = ending === 'failed' ? judgeFailure(problem?.code) : receipts.unfinished()
      const { at: _ofThoseThatEnded, ...others } = proof
      return { ...others, ...(judged ?? { verdict: null, reason: null }), ofSlices }
    },
  }
}
