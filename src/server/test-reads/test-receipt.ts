/** The receipt of a test read: what its pages prove, and what each slice does. */
import type { Page } from '../../engine/pages/page.ts'
import type { OpenStream } from '../../engine/pages/stream.ts'
import type { Slice } from '../../engine/slices/slice.ts'
import { openReceipts } from '../../proof/receipts/open-receipts.ts'
import { judgeFailure } from '../../proof/verdict/judge-slice.ts'
import type { ApiProblem } from '../wire/problem.ts'
import type { TestReceipt, WireSliceReceipt, WireStreamProof } from '../wire/receipt.ts'
import type { ReadEnd } from '../wire/test-read.ts'

export type OpenTestReceipt = {
  /** A page, or a part of one; slices are numbered as they start. */
  readonly observe: (index: number, slice: Slice, part: Page) => void
  readonly end: (ending: ReadEnd['ending'], problem?: ApiProblem) => TestReceipt
}

/** More than anyone reads on a screen. */
const mostSlices = 1000

export function openTestReceipt(stream: OpenStream): OpenTestReceipt {
  const receipts = openReceipts(stream)
  const ofSlices: WireSliceReceipt[] = []
  return {
    observe(index, slice, part) {
      const receipt = receipts.observe(slice, part)
      if (receipt === null || ofSlices.length >= mostSlices) return
      const { stream: _soFar, ...ofSlice } = receipt
      // The compiler names a field that the schema of the API lacks.
      const described: Pick<WireSliceReceipt, keyof typeof ofSlice> = ofSlice
      ofSlices.push({ slice: index, ...described })
    },
    end(ending, problem) {
      const counted = receipts.stream()
      const proof: Pick<WireStreamProof, keyof typeof counted> = counted
      if (ending === 'complete') return { ...proof, ofSlices }
      const judged = ending === 'failed' ? judgeFailure(problem?.code) : receipts.unfinished()
      const { at: _ofThoseThatEnded, ...others } = proof
      return { ...others, ...(judged ?? { verdict: null, reason: null }), ofSlices }
    },
  }
}
