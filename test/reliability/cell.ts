/** One method read with one fault: what came in truth, and what the library says about it. */
import { loadManifest, readPages } from '../../src/index.ts'
import { ConnectorError } from '../../src/errors.ts'
import type { Verdict } from '../../src/insight/evidence.ts'
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

export type Cell = {
  readonly method: Method
  readonly fault: Fault | null
  /** Of the records that were there from the beginning. */
  readonly lost: number
  readonly doubled: number
  /** Why the walk ended: a stop reason, or the code of an error. */
  readonly end: string
  readonly error: string | null
  /** Null where an error ended the walk before there was a receipt. */
  readonly verdict: Verdict | null
  readonly reason: string
}

export async function readCell(method: Method, fault: Fault | null, base_url: string): Promise<Cell> {
  const door = fault === null ? '' : `/faults/${fault.name}`
  const manifest = loadManifest(manifestFor(method, door, { request_parameters: parameters[fault?.name ?? ''] ?? {} }))
  const ids: number[] = []
  const said: { end: string; verdict: Verdict | null; reason: string } = { end: '', verdict: null, reason: '' }
  const settled = () => {
    const known = new Set(ids)
    const lost = size - ids.filter((id, index) => id <= size && ids.indexOf(id) === index).length
    return { method, fault, lost, doubled: ids.length - known.size, ...said }
  }
  let time = 0
  const sleep = async (ms: number) => void (time += ms)
  const config = { base_url, page_size: pageSize }
  try {
    for await (const { records, receipt } of readPages(manifest, { config, sleep, now: () => time })) {
      ids.push(...records.map(({ id }) => Number(id)))
      if (receipt) Object.assign(said, { end: receipt.stop, verdict: receipt.verdict, reason: receipt.reason })
    }
    return { ...settled(), error: null }
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error
    return { ...settled(), end: error.code, error: error.message }
  }
}
