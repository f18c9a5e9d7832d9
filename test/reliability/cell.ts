/** One method read with one fault: what arrived, what the library reports about it, and whether it can fix it. */
import { ConnectorError } from '../../src/std/errors.ts'
import { loadManifest, readPages } from '../../src/index.ts'
import { applyEdits } from '../../src/proof/diagnosis/apply-edits.ts'
import { diagnose } from '../../src/proof/diagnosis/diagnose.ts'
import type { FindingCode } from '../../src/proof/diagnosis/finding-codes.ts'
import type { Verdict } from '../../src/proof/verdict/verdict-name.ts'
import type { Fault } from '../../src/lab/faults/fault.ts'
import { type Method, manifestFor } from './methods.ts'

/** Four full pages and a half. */
export const size = 45
export const pageSize = 10

/** A cap below the page size; pieces that come at once. */
const parameters: Readonly<Record<string, Record<string, unknown>>> = {
  'capped-size': { cap: '5' },
  'slow-body': { pace: '0' },
}

export type Cell = Outcome & {
  readonly method: Method
  readonly fault: Fault | null
  /** What the diagnosis names, the most telling first. */
  readonly findings: readonly FindingCode[]
  /** What comes once the change is made that the first of them proposes; null where it proposes none. */
  readonly fixed: Outcome | null
}

export type Outcome = {
  /** Of the records that were there from the beginning. */
  readonly lost: number
  readonly doubled: number
  /** Why the read ended: a stop reason, or the code of an error. */
  readonly end: string
  readonly error: string | null
  /** Null where an error ended the read before there was a receipt. */
  readonly verdict: Verdict | null
  readonly reason: string
}

export async function readCell(method: Method, fault: Fault | null, base_url: string): Promise<Cell> {
  const door = fault === null ? '' : `/faults/${fault.name}`
  const text = manifestFor(method, door, { request_parameters: parameters[fault?.name ?? ''] ?? {} })
  const config = { base_url, page_size: pageSize }
  const outcome = await readOnce(text, config)
  const { findings } = await diagnose(text, { config, ...timeless() })
  const edits = findings[0]?.fix?.edits
  const fixed = edits === undefined ? null : await readOnce(applyEdits(text, edits), config)
  return { method, fault, ...outcome, findings: findings.map(({ code }) => code), fixed }
}

async function readOnce(text: string, config: Record<string, unknown>): Promise<Outcome> {
  const ids: number[] = []
  const said: Pick<Outcome, 'verdict' | 'reason'> & { end: string } = { end: '', verdict: null, reason: '' }
  const outcome = () => {
    const came = new Set(ids)
    const lost = Array.from({ length: size }, (_, index) => index + 1).filter((id) => !came.has(id)).length
    return { lost, doubled: ids.length - came.size, ...said }
  }
  try {
    for await (const { records, receipt } of readPages(loadManifest(text), { config, ...timeless() })) {
      ids.push(...records.map(({ id }) => Number(id)))
      if (receipt) Object.assign(said, { end: receipt.stop, verdict: receipt.verdict, reason: receipt.reason })
    }
    return { ...outcome(), error: null }
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error
    return { ...outcome(), end: error.code, error: error.message }
  }
}

/** Waits pass at once. */
function timeless() {
  let time = 0
  return { now: () => time, sleep: async (ms: number) => void (time += ms) }
}
