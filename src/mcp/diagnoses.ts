/** The latest diagnoses of saved connectors, in memory: a fix is applied by naming its diagnosis. */
import { randomUUID } from 'node:crypto'
import type { Finding } from '../proof/diagnosis/diagnosis.ts'
import { ConnectorError } from '../std/errors.ts'

export type KeptDiagnosis = {
  readonly connector: string
  /** The version that was diagnosed: a fix applies to nothing else. */
  readonly version: string
  readonly findings: readonly Pick<Finding, 'code' | 'fix'>[]
}

export type Diagnoses = {
  readonly keep: (diagnosis: KeptDiagnosis) => string
  /** Throws `server/gone`. */
  readonly find: (id: string) => KeptDiagnosis
}

const mostDiagnoses = 50

export function openDiagnoses(): Diagnoses {
  const kept = new Map<string, KeptDiagnosis>()
  return {
    keep(diagnosis) {
      const id = randomUUID()
      kept.set(id, diagnosis)
      if (kept.size > mostDiagnoses) kept.delete(kept.keys().next().value as string)
      return id
    },
    find(id) {
      const found = kept.get(id)
      if (found !== undefined) return found
      throw new ConnectorError('server/gone', `Diagnosis ${id} is not kept.`, { hint: 'Diagnose the stream again.' })
    },
  }
}
