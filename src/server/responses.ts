/** Values → responses: JSON that keeps every digit, lines as they are produced, problems as RFC 9457. */
import { ConnectorError, type ErrorCode, stageOf } from '../std/errors.ts'
import { stringifyJson } from '../std/json.ts'
import { type ProblemStatus, problemType } from '../site/problem.ts'
import { reasonPhrases } from '../std/text/reason-phrases.ts'
import type { ApiProblem } from './wire/problem.ts'

const noStore = { 'Cache-Control': 'no-store' }

export function json(value: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return writtenJson(stringifyJson(value), status, headers)
}

export function writtenJson(text: string, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(text, { status, headers: { 'Content-Type': 'application/json', ...noStore, ...headers } })
}

export function empty(headers: Record<string, string> = {}): Response {
  return new Response(null, { status: 204, headers: { ...noStore, ...headers } })
}

export const linesType = 'application/x-ndjson'

/**
 * One JSON value per line. A client that disconnects ends the iterator.
 * @param signal aborts when the client disconnects: the server does not read the body of a response after that.
 */
export function lines(values: AsyncIterator<unknown>, signal: AbortSignal): Response {
  const encoder = new TextEncoder()
  const end = () => void values.return?.()
  if (signal.aborted) end()
  else signal.addEventListener('abort', end, { once: true })
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await values.next()
      if (done === true) controller.close()
      else controller.enqueue(encoder.encode(`${stringifyJson(value)}\n`))
    },
    async cancel() {
      await values.return?.()
    },
  })
  // Keeps proxies from buffering the lines.
  return new Response(body, { headers: { 'Content-Type': linesType, ...noStore, 'X-Accel-Buffering': 'no' } })
}

/** An error as a problem. Unexpected errors reveal nothing about themselves. */
export function problemOf(error: unknown): ApiProblem {
  if (!(error instanceof ConnectorError)) {
    return {
      type: 'about:blank',
      title: reasonPhrases[500],
      status: 500,
      detail: 'The server failed. Nothing was changed.',
    }
  }
  const { message: detail, code, hint, at, problems } = error.toJSON()
  const status = statusOf(code)
  return {
    type: 'about:blank',
    title: reasonPhrases[status],
    status,
    detail,
    code,
    hint,
    ...(at !== undefined && { at: at }),
    ...(problems !== undefined && { problems: problems as ApiProblem['problems'] }),
  }
}

export function problemResponse(
  error: unknown,
  headers: Record<string, string> = {},
  more: Pick<ApiProblem, 'version'> = {},
): Response {
  const body = { ...problemOf(error), ...more }
  const fields = { 'Content-Type': problemType, ...noStore, ...headers }
  return new Response(`${stringifyJson(body)}\n`, { status: body.status, headers: fields })
}

const statuses: Partial<Record<ErrorCode, ProblemStatus>> = {
  'server/unauthorized': 401,
  'server/foreign': 403,
  'server/not-found': 404,
  'server/method': 405,
  'server/exists': 409,
  'server/in-use': 409,
  'server/changed-meanwhile': 409,
  'server/gone': 410,
  'server/too-large': 413,
  'server/not-json': 415,
  'server/destination': 422,
  'server/unreadable': 422,
  'connections/exists': 409,
  'server/busy': 429,
  'mcp/too-many-sessions': 429,
  'connections/not-found': 404,
  'schedules/none': 404,
  'sync/nothing-held': 404,
  'sync/unknown-stream': 404,
  'secrets/no-store': 404,
  'secrets/not-stored': 404,
  'secrets/store-exists': 409,
  'secrets/locked': 409,
  'secrets/enter-again': 409,
  'secrets/wrong-passphrase': 403,
  'secrets/not-allowed': 403,
  'server/disk': 500,
}

/** 400 for an invalid request; 422 for a manifest, a config or an API that does not work. */
function statusOf(code: ErrorCode): ProblemStatus {
  return statuses[code] ?? (stageOf(code) === 'server' ? 400 : 422)
}
