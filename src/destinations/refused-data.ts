/** What a destination refuses because of the records or the table of one stream: the others can still be written. */
import { ConnectorError, type ErrorDetails, hasCode } from '../std/errors.ts'

/** The table of a stream, or what is staged for it, is not as the last sync left it. */
export class ChangedTable extends ConnectorError {
  constructor(message: string, kind: 'live' | 'staged', details: ErrorDetails) {
    super('destinations/unreadable', message, { hint: changedHints[kind], ...details })
  }
}

const changedHints = {
  live: 'Restore it; or drop the table, and the next sync reads the stream from the start.',
  staged: 'Restore it; or run once with `--fresh`, which reads the stream from the start.',
}

/** A commit with this failure was rolled back, and the destination still works. */
export function concernsOneStream(error: unknown): boolean {
  return error instanceof ChangedTable || hasCode(error, 'destinations/data-refused', 'destinations/table-taken')
}

/** The failure of a commit whose records have more levels than can be written; null where it failed otherwise. */
export function nestedTooDeep(error: unknown): ConnectorError | null {
  return error instanceof RangeError && error.message.startsWith('Maximum call stack') ? tooDeep(error) : null
}

/** The same words, whether this process or the database finds it. */
export function tooDeep(cause: unknown): ConnectorError {
  return new ConnectorError('destinations/data-refused', 'A record is nested too deeply to be written.', {
    cause,
    hint: 'Remove the nested field with a transformation (RemoveFields), then run again.',
  })
}
