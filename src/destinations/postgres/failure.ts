/** An error of the driver or the server → an error with a code and a hint. */
import { ConnectorError, type ErrorCode, hasCode } from '../../std/errors.ts'
import { ChangedTable, nestedTooDeep, tooDeep } from '../refused-data.ts'
import { quoted } from './sql.ts'

/** The SQLSTATE of a server error; undefined for all other errors. */
export function sqlState(error: unknown): string | undefined {
  const { cause } = error instanceof ConnectorError ? error : { cause: error }
  return isServerError(cause) ? cause.code : undefined
}

type ServerError = Error & {
  readonly code: string
  readonly severity: string
  readonly detail?: string
  readonly where?: string
}

function isServerError(error: unknown): error is ServerError {
  return error instanceof Error && 'severity' in error && 'code' in error && typeof error.code === 'string'
}

/**
 * The connection was refused, or the server did not respond.
 *
 * @param attempt the connection string, whose parameters say which certificates are trusted
 */
export function unreachable(address: string, cause: unknown, attempt?: string): ConnectorError {
  // The driver says it in the words of the protocol.
  if (cause instanceof Error && /client password must be a/.test(cause.message)) {
    return new ConnectorError('destinations/unreachable', `${address} needs a password, and none is given.`, {
      cause,
      hint: 'Set PGPASSWORD, add the server to ~/.pgpass, or refer to a variable: postgres://USER:${DB_PASSWORD}@HOST/DATABASE, in single quotes.',
    })
  }
  if (isFull(cause)) {
    return new ConnectorError('destinations/unreachable', `${address} has no session left: ${wordsOf(cause)}.`, {
      cause,
      hint: 'Run fewer syncs at a time (`--syncs` and `--parts` of workers), or allow more sessions: max_connections of the server, CONNECTION LIMIT of the role.',
    })
  }
  return new ConnectorError('destinations/unreachable', `${address} cannot be reached: ${wordsOf(cause)}.`, {
    cause,
    ...(isUntrusted(cause) && { hint: hintOfUntrusted(attempt) }),
  })
}

function hintOfUntrusted(attempt: string | undefined): string {
  const parameters = new URLSearchParams(attempt?.split('?')[1])
  if (!parameters.get('sslrootcert'))
    return 'Name the certificate of the authority that signed it: add sslrootcert=FILE to the address. Or use sslmode=require, which encrypts without verifying the certificate.'
  const otherAuthority =
    'The file of sslrootcert is of another authority: name the certificate of the one that signed it.'
  // As in libpq: with a file, `require` verifies, too.
  if (parameters.get('sslmode') === 'require')
    return `${otherAuthority} Or remove sslrootcert: sslmode=require alone encrypts without verifying the certificate.`
  return `${otherAuthority} Or use sslmode=require without sslrootcert, which encrypts without verifying the certificate.`
}

/** The certificate of the server is signed by an authority that Node does not know, such as that of a cloud provider. */
function isUntrusted(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^(?:DEPTH_ZERO_)?SELF_SIGNED_CERT|^UNABLE_TO_(?:GET_ISSUER_CERT|VERIFY_LEAF)/.test(code)
}

/** too_many_connections: of the server, the database or the role. */
function isFull(error: unknown): boolean {
  return isServerError(error) && error.code === '53300'
}

/** A statement failed. A `ConnectorError` is passed on. */
export function statementFailure(address: string, cause: unknown): unknown {
  if (cause instanceof ConnectorError || !(cause instanceof Error)) return cause
  const deep = nestedTooDeep(cause)
  if (deep !== null) return deep
  // Not an error of the server: the connection is lost.
  if (!isServerError(cause)) return lost(address, cause)
  // A pool opens its sessions when a statement needs one.
  if (isFull(cause)) return unreachable(address, cause)
  if (cause.severity === 'FATAL' || cause.severity === 'PANIC' || cause.code.startsWith('08'))
    return lost(address, cause)
  // statement_too_complex: the server's stack is too small for a nested value.
  if (cause.code === '54001') return tooDeep(cause)
  const { code, message, hint } = refusal(cause)
  return new ConnectorError(code, `${address} ${message}.`, { cause, ...(hint !== undefined && { hint }) })
}

/** Of a step: a table or column that it lacks, or that was changed, is one of its stream. */
export function stepFailure(error: unknown): unknown {
  if (!hasCode(error, 'destinations/unreadable')) return error
  const kind = error.message.includes('"_turnleaf_staged_') ? 'staged' : 'live'
  return new ChangedTable(error.message, kind, { cause: error.cause })
}

function lost(address: string, cause: unknown): ConnectorError {
  return new ConnectorError('destinations/lost', `The session with ${address} was lost: ${wordsOf(cause)}.`, { cause })
}

type Refusal = { readonly code: ErrorCode; readonly message: string; readonly hint?: string }

function refusal(error: ServerError): Refusal {
  const words = wordsOf(error)
  switch (error.code) {
    // duplicate_table: created between our check and our statement.
    case '42P07':
      return { code: 'destinations/table-taken', message: `already has the table: ${words}` }
    // undefined_table, undefined_column: something that a sync created was dropped or renamed.
    case '42P01':
    case '42703':
      return {
        code: 'destinations/unreadable',
        message: `no longer has a table or column that a sync created: ${words}`,
        hint: startOver,
      }
    // datatype_mismatch, undefined_function (no operator for such types), wrong_object_type (a view): changed by something else.
    case '42804':
    case '42883':
    case '42809':
      return {
        code: 'destinations/unreadable',
        message: `has a table or column that is not as a sync created it: ${words}`,
        hint: startOver,
      }
    // too_many_columns
    case '54011':
      return {
        code: 'destinations/data-refused',
        message: `refused: a table has at most 1,600 columns, and the stream has more fields (${words})`,
        hint: fewerColumns,
      }
    // feature_not_supported: a column that a view shows cannot change its type.
    case '0A000':
      return {
        code: 'destinations/data-refused',
        message: `refused to change a column: ${words}`,
        hint: 'Drop the view, run the sync again (it resumes), then create the view again.',
      }
    // query_canceled
    case '57014':
      return {
        code: 'destinations/write-refused',
        message: `ended a statement: ${words}`,
        hint: 'If it was the time limit, raise it in the address (?options=-c%20statement_timeout%3D4h) and run again: the sync resumes.',
      }
    default: {
      const column = columnOf(error)
      return {
        code: isAboutRows(error.code) ? 'destinations/data-refused' : 'destinations/write-refused',
        message:
          column === undefined ? `refused: ${words}` : `refused a value of the column ${quoted(column)}: ${words}`,
        ...(words.startsWith('row is too big') && { hint: fewerColumns }),
      }
    }
  }
}

/** Of a value that COPY could not store. The value itself, which Postgres adds, is not shown: it may be private. */
function columnOf({ where = '' }: ServerError): string | undefined {
  return /^COPY .+?, line \d+, column (.+?): "/m.exec(where)?.[1]
}

const fewerColumns =
  'Remove fields with a transformation (RemoveFields), or nest them in one: a nested value is one column.'

const startOver =
  'Restore it. Or drop the tables of the connection and its rows in _turnleaf_notes and _turnleaf_tables; the next sync then starts over.'

/** Classes of errors: a value, a constraint of the table, an exception of its trigger, a limit of the server. */
function isAboutRows(state: string): boolean {
  return ['22', '23', 'P0', '54'].includes(state.slice(0, 2))
}

/** A host with several addresses fails once per address, and the error itself has no message. */
function wordsOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(wordsOf).join('; ')
  if (!(error instanceof Error)) return String(error)
  const detail = isServerError(error) && error.detail !== undefined ? ` (${withoutStop(error.detail)})` : ''
  const state = isServerError(error) ? ` [${error.code}]` : ''
  return `${withoutStop(error.message)}${detail}${state}`
}

function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, '')
}
