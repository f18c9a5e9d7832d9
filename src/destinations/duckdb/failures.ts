/** An error of DuckDB → an error with a code and a hint. */
import { ConnectorError, type ErrorCode } from '../../std/errors.ts'
import { heldBy } from '../paused-holder.ts'
import { ChangedTable, nestedTooDeep } from '../refused-data.ts'
import { messageOf } from '../../std/text/message-of.ts'

/** @param address the destination's name in messages. */
export function duckdbFailure(error: unknown, address: string): ConnectorError {
  if (error instanceof ConnectorError) return error
  const said = firstLine(error)
  const holder = /Conflicting lock is held in (.*?) ?\(PID (\d+)\)/.exec(said)
  if (holder !== null) {
    const [, program = '', pid = ''] = holder
    return heldBy(`${address} is held by process ${pid}${program === '' ? '' : ` (${program})`}`, Number(pid), error)
  }
  if (/could not set lock/i.test(said)) return busy(address, 'another process', error)
  const code = meanings.find(([pattern]) => pattern.test(said))?.[1] ?? 'destinations/write-refused'
  const hint = isOutOfMemory(error) ? 'Give the process more memory; then run again: the sync resumes.' : undefined
  return new ConnectorError(code, `${sentences[code]} ${address}: ${said}`, { cause: error, hint })
}

/** Of a commit: its rows may be what DuckDB refuses, and its table may have been changed by something else. */
export function commitFailure(error: unknown, address: string): ConnectorError {
  const deep = nestedTooDeep(error)
  if (deep !== null) return deep
  const failure = duckdbFailure(error, address)
  if (failure.code !== 'destinations/write-refused') return failure
  const said = firstLine(error)
  if (isAboutTable.test(said)) {
    return new ChangedTable(failure.message, said.includes('_turnleaf_staged_') ? 'staged' : 'live', { cause: error })
  }
  if (!isAboutRows.test(said)) return failure
  return new ConnectorError('destinations/data-refused', failure.message, { cause: error })
}

/** A value, a constraint or an index of the table, or a view of it. */
const isAboutRows =
  /^(Conversion|Out of Range|Invalid Input|Mismatch Type|Constraint|Dependency) Error|^Failed to append/

/** A column that is gone or has another type, or a view in place of the table. */
const isAboutTable = /^(Binder|Catalog) Error|is not an? table$|^type mismatch in AppendDataChunk/

/** Not where a checkpoint failed for it: after that DuckDB refuses everything. */
export function isOutOfMemory(error: unknown): boolean {
  return firstLine(error).startsWith('Out of Memory Error')
}

export function busy(address: string, holder: string, cause?: unknown): ConnectorError {
  return new ConnectorError('destinations/busy', `${address} is held by ${holder}.`, { cause })
}

export function doesNotExist(address: string): ConnectorError {
  return new ConnectorError('destinations/unreadable', `There is no ${address}.`, {
    hint: 'Sync something to it first.',
  })
}

export function tableTaken(name: string, address: string): ConnectorError {
  return new ConnectorError(
    'destinations/table-taken',
    `${address} already has a table "${name}" that this connection did not make.`,
  )
}

/** `failed to offload`: what does not fit into memory has no room on the disk either. */
const isDiskFailure =
  /no space left|failed to offload data block|file too large|quota exceeded|read-only file system|permission denied/i

type Meaning = 'destinations/unreadable' | 'destinations/lost' | 'destinations/write-refused'

const meanings: readonly (readonly [RegExp, Meaning & ErrorCode])[] = [
  [isDiskFailure, 'destinations/write-refused'],
  // After a failed checkpoint or an internal error DuckDB refuses everything until the file is opened again.
  [/database has been invalidated|^FATAL Error/i, 'destinations/lost'],
  [
    /not a valid DuckDB database|could not read enough bytes|corrupt|checksum|replaying WAL|storage version|serialization/i,
    'destinations/unreadable',
  ],
]

const sentences: Record<Meaning, string> = {
  'destinations/lost': 'DuckDB gave up on',
  'destinations/unreadable': 'DuckDB cannot read',
  'destinations/write-refused': 'DuckDB cannot write to',
}

/** DuckDB adds stack traces and links to some of its messages. */
function firstLine(error: unknown): string {
  const text = messageOf(error)
  // After a failure that it does not survive, DuckDB says so to everything that follows, and names the failure at the end.
  const [, original] = /\binvalidated\b.*Original error: "?([^\n]+?)"?(?:\n|$)/s.exec(text) ?? []
  const [line = ''] = isDiskFailure.test(original ?? '') ? [original] : text.split('\n', 1)
  return line.length > 400 ? `${line.slice(0, 400)}…` : line
}
