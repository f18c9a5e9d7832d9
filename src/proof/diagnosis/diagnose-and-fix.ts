/** A manifest diagnosed and mended, finding by finding, until nothing is left that a change would diagnoseAndFix. */
import { applyEdits } from './apply-edits.ts'
import { diagnose, type DiagnoseOptions } from './diagnose.ts'
import type { Diagnosis, Finding } from './diagnosis.ts'

export type FixedManifest = {
  readonly text: string
  /** What was changed for which finding, in order; empty where nothing was. */
  readonly applied: readonly Finding[]
  /** Of the text as it is now. */
  readonly diagnosis: Diagnosis
}

/** One fault hides another, but not for ever: who needs more changes than that should look at the manifest. */
const mostChanges = 4

/** A change that is written into a file is read to its end; only a very long stream is cut. */
const maxRetest = 1_000

/**
 * Applies only changes that were re-tested, and looks at the whole read anew after each.
 *
 * @example const { text, applied } = await diagnoseAndFix(manifestText, { stream: 'orders', config })
 */
export async function diagnoseAndFix(text: string, options: DiagnoseOptions = {}): Promise<FixedManifest> {
  const applied: Finding[] = []
  const known = new Set([text])
  let now = text
  for (;;) {
    const diagnosis = await diagnose(now, { maxRetest, ...options })
    const best = diagnosis.findings.find(({ fix }) => fix?.retest?.isMended === true)
    const next = best === undefined ? now : applyEdits(now, best.fix?.edits ?? [])
    // A change that leads back to an earlier text mends nothing.
    if (best === undefined || known.has(next) || applied.length >= mostChanges) return { text: now, applied, diagnosis }
    known.add(next)
    applied.push(best)
    now = next
  }
}

/** @deprecated Use `diagnoseAndFix`. */
export const mend = diagnoseAndFix

/** @deprecated Use `FixedManifest`. */
export type Mended = FixedManifest
