/** A manifest → the same with its fixes applied, finding by finding, until no fix is left. */
import { applyEdits } from './apply-edits.ts'
import { diagnose, type DiagnoseOptions } from './diagnose.ts'
import type { Diagnosis, Finding } from './diagnosis.ts'

export type FixedManifest = {
  readonly text: string
  /** The findings whose fixes were applied, in order. */
  readonly applied: readonly Finding[]
  /** The diagnosis of the final text. */
  readonly diagnosis: Diagnosis
}

/** One fault may hide another; a manifest that needs more changes than this needs a person. */
const mostChanges = 4

/** A change that will be written to a file is re-tested to the end; only a very long stream is cut. */
const maxRetest = 1_000

/**
 * Applies only changes that were re-tested, and diagnoses again after each.
 *
 * @example const { text, applied } = await diagnoseAndFix(manifestText, { stream: 'orders', config })
 */
export async function diagnoseAndFix(text: string, options: DiagnoseOptions = {}): Promise<FixedManifest> {
  const applied: Finding[] = []
  const known = new Set([text])
  let now = text
  for (;;) {
    const diagnosis = await diagnose(now, { maxRetest, ...options })
    const best = diagnosis.findings.find(({ fix }) => fix?.retest?.isFixed === true)
    const next = best === undefined ? now : applyEdits(now, best.fix?.edits ?? [])
    // A change that leads back to an earlier text fixes nothing.
    if (best === undefined || known.has(next) || applied.length >= mostChanges) return { text: now, applied, diagnosis }
    known.add(next)
    applied.push(best)
    now = next
  }
}

/** @deprecated Use `FixedManifest`. */
export type Mended = FixedManifest
