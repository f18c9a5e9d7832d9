/** An error → the message for a platform, and who has to act: user, platform or maintainers. */
import { ConnectorError, type ErrorCode, type FailureType, hasCode, type Stage, stageOf } from '../std/errors.ts'
import { sayPlace } from '../engine/manifest/problem.ts'
import { errorMessage, type Message, type TraceError } from './messages.ts'
import type { Redact } from './secrets.ts'
import { messageOf } from '../std/text/message-of.ts'

/** Whether errors of a stage are in what the user wrote, rather than in what happened while reading. */
const isFaultOfUser: Readonly<Record<Stage, boolean>> = {
  manifest: true,
  template: true,
  plan: true,
  slices: true,
  request: true,
  connections: true,
  collections: true,
  schedules: true,
  sync: true,
  recordings: true,
  import: true,
  cli: true,
  lab: true,
  site: true,
  mcp: true,
  custom: false,
  response: false,
  records: false,
  pagination: false,
  jobs: false,
  proof: false,
  detection: false,
  destinations: false,
  workers: false,
  server: false,
  secrets: false,
}

/** Codes that differ from their stage. */
const isFaultByCode: Readonly<Partial<Record<ErrorCode, boolean>>> = {
  // Only the address of a destination is an argument; its other errors happen while writing.
  'destinations/unknown': true,
  // A repository may be unreachable.
  'collections/git': false,
}

/** Whether the manifest, the config or the arguments have to be changed. */
export function isFault(error: unknown): boolean {
  return error instanceof ConnectorError && isFaultCode(error.code)
}

/** The same for an error whose code alone was kept, maybe by another version. */
export function isFaultCode(code: string): boolean {
  const known = code as ErrorCode
  return isFaultByCode[known] ?? isFaultOfUser[stageOf(known)] ?? false
}

/** The read was cancelled from outside. */
export function isCancelled(error: unknown): boolean {
  return hasCode(error, 'response/aborted')
}

/** Airbyte: `config_error` is shown to the user, `transient_error` is retried, `system_error` goes to the maintainers. */
export function failureTypeOf(error: unknown): FailureType {
  if (!(error instanceof ConnectorError)) return 'system_error'
  if (error.failureType !== undefined) return error.failureType
  switch (error.code) {
    case 'response/unreachable':
    case 'response/timeout':
    case 'response/cut-short':
    case 'response/gave-up':
      return 'transient_error'
    case 'response/not-decodable':
    case 'response/too-large':
    case 'response/redirect-loop':
    case 'response/aborted':
    case 'custom/class-failed':
      return 'system_error'
    default:
      return 'config_error'
  }
}

/** TRACE ERROR: the message for people; code, place and hint in `internal_message`. */
export function failureMessage(error: unknown, emittedAt: number, redact: Redact, stream?: string): Message {
  const details = {
    ...failureDetails(error, redact),
    ...(stream !== undefined && { stream_descriptor: { name: stream } }),
  }
  return errorMessage(details, emittedAt)
}

export function failureDetails(error: unknown, redact: Redact): TraceError {
  return {
    message: redact(messageOf(error)),
    internal_message: redact(internalMessage(error)),
    failure_type: failureTypeOf(error),
  }
}

/** The same error without secrets in message, hint and stack, and without its cause. */
export function redactedError(error: unknown, redact: Redact): Error {
  const message = redact(messageOf(error))
  const shown =
    error instanceof ConnectorError
      ? new ConnectorError(error.code, message, {
          at: error.at,
          hint: redact(error.hint),
          failureType: error.failureType,
        })
      : new Error(message)
  if (error instanceof Error) shown.stack = redact(stackOf(error))
  return shown
}

/** With its causes. */
function stackOf(error: Error): string {
  const stack = error.stack ?? error.message
  return error.cause instanceof Error ? `${stack}\ncaused by ${stackOf(error.cause)}` : stack
}

function internalMessage(error: unknown): string {
  if (!(error instanceof ConnectorError)) return error instanceof Error ? error.name : typeof error
  const place = error.at === undefined ? [] : [`at: ${sayPlace(error.at)}`]
  return [error.code, ...place, `try: ${error.hint}`].join('; ')
}
