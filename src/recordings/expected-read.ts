/** What a read made of its exchanges → what a recording expects of the next one. */
import { createHash } from 'node:crypto'
import type { JsonRecord } from '../engine/plan/plan.ts'
import { stringifyJson } from '../std/json.ts'
import type { StreamReadOnce } from './read-stream-once.ts'
import type { ExpectedRead, ExpectedRecords } from './recording.ts'
import { holdsMark, markVarying } from './varying.ts'

/** More would only make the file long. */
const mostRecords = 100

type Made = Pick<StreamReadOnce, 'records' | 'slices' | 'receipt' | 'schema' | 'primaryKey' | 'state'>

export function expectedRead({ records, slices, receipt, schema, primaryKey, state }: Made): ExpectedRead {
  return { records: expectedRecords(records), slices, receipt, schema, primaryKey, state }
}

/** Two reads of the same exchanges: what differs between them is marked. */
export function expectedOfBoth(one: Made, other: Made): ExpectedRead {
  const records = markVarying(one.records, other.records) as readonly JsonRecord[]
  const { slices, receipt, schema, primaryKey, state } = one
  return markVaryingRest({ records, slices, receipt, schema, primaryKey, state }, other)
}

function markVaryingRest({ records, ...rest }: Made, other: Made): ExpectedRead {
  const { slices, receipt, schema, primaryKey, state } = other
  const marked = markVarying(rest, { slices, receipt, schema, primaryKey, state }) as Omit<Made, 'records'>
  return { records: expectedRecords(Array.isArray(records) ? records : []), ...marked }
}

function expectedRecords(records: readonly JsonRecord[]): ExpectedRecords {
  const count = records.length
  if (count <= mostRecords) return { count, first: records }
  const sha256 = holdsMark(records) ? null : createHash('sha256').update(stringifyJson(records)).digest('hex')
  return { count, first: records.slice(0, mostRecords), sha256 }
}
