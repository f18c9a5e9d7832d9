/** What happened on the way → the log lines of a test read. */
import type { Problem } from '../../std/errors.ts'
import type { Notice } from '../../engine/response/notice.ts'
import type { Redactor } from '../../engine/secrets/redact.ts'
import { failureDetails } from '../../protocol/failure.ts'
import { isWarning, sayNotice } from '../../protocol/say.ts'
import type { WireLog } from '../wire/manifest-server.ts'

function log(level: WireLog['level'], message: string): WireLog {
  return { message, level, internal_message: null, stacktrace: null }
}

/** What the manifest does that it had better not. */
export function problemLog({ severity, code, message }: Problem): WireLog {
  return log(severity === 'note' ? 'INFO' : 'WARN', `${code}: ${message}`)
}

/** A budget makes nearly every request wait a little: that is no news. */
export function noticeLog(stream: string, notice: Notice): WireLog {
  const level = isWarning(notice) ? 'WARN' : notice.kind === 'budget' ? 'DEBUG' : 'INFO'
  return log(level, sayNotice(stream, notice))
}

/** The message for people; code, place and hint for whoever looks closer. No stack: it tells of this machine. */
export function failureLog(error: unknown, redactor: Redactor): WireLog {
  const { message, internal_message } = failureDetails(error, redactor.text)
  return { ...log('ERROR', message), internal_message }
}

/** A key or cursor that the records lack would fail only once it lands in a table. */
export function missingLog(path: readonly string[]): WireLog {
  return log('ERROR', `The records have no \`${path.join('.')}\`, which the stream needs as primary key or cursor.`)
}
