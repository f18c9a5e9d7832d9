/** The one way to the server: requests out, values or problems back. JSON keeps every digit. */
import { parseJson, stringifyJson } from '../../std/json.ts'
import type { ApiProblem } from '../../server/wire/problem.ts'
import { noteResponse, noteSilence } from './reach.ts'
import { currentToken } from './token.ts'

/** What the server said is wrong, or that it did not answer at all. */
export class AskError extends Error {
  override readonly name = 'AskError'
  /** Null when there was no response. */
  readonly problem: ApiProblem | null

  constructor(message: string, problem: ApiProblem | null) {
    super(message)
    this.problem = problem
  }
}

export type RequestOptions = { readonly body?: unknown; readonly signal?: AbortSignal | undefined }

export async function ask<Answer>(method: string, path: string, asking: RequestOptions = {}): Promise<Answer> {
  const text = await askText(method, path, asking)
  return (text === '' ? null : parseJson(text).value) as Answer
}

/** A file: its text as it is. */
export async function askText(method: string, path: string, asking: RequestOptions = {}): Promise<string> {
  const response = await send(method, path, asking)
  return response.text().catch(brokenOff(asking.signal))
}

/** Values as they come, one a line. Ending the loop hangs up, which the server takes for "cancel". */
export async function* askLines<Line>(method: string, path: string, asking: RequestOptions = {}): AsyncGenerator<Line> {
  const response = await send(method, path, asking)
  for await (const line of splitBody(response, '\n', asking.signal))
    if (line !== '') yield parseJson(line).value as Line
}

/** A body as it arrives, split at the separator; an unterminated rest is dropped. */
export async function* splitBody(
  response: Response,
  separator: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  if (reader === undefined) return
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(brokenOff(signal))
      if (done) return
      const parts = (rest + value).split(separator)
      rest = parts.pop() ?? ''
      yield* parts
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/** The response as it comes, where it is a good one; anything else is thrown as an `AskError`. */
export async function send(method: string, path: string, { body, signal }: RequestOptions): Promise<Response> {
  const token = currentToken()
  const headers = {
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...(token !== null && { Authorization: `Bearer ${token}` }),
  }
  const response = await fetch(path, {
    method,
    headers,
    ...(body !== undefined && { body: stringifyJson(body) }),
    ...(signal !== undefined && { signal }),
  }).catch(brokenOff(signal))
  noteResponse(response.status, token)
  if (response.ok) return response
  throw refusal(response.status, await response.text().catch(() => ''))
}

/** The value of a response that was received elsewhere; thrown as an `AskError` where it is not a good one. */
export function acceptedAnswer(
  { status, text }: { readonly status: number; readonly text: string },
  token: string | null,
): unknown {
  noteResponse(status, token)
  if (status < 200 || status > 299) throw refusal(status, text)
  return parseJson(text).value
}

function refusal(status: number, text: string): AskError {
  const problem = problemIn(text)
  return new AskError(problem?.detail ?? `The server answered ${status}.`, problem)
}

function problemIn(text: string): ApiProblem | null {
  try {
    return JSON.parse(text) as ApiProblem
  } catch {
    return null
  }
}

/** The server is gone. */
export function noAnswer(cause?: unknown): AskError {
  noteSilence()
  return Object.assign(new AskError('The server does not answer. Is it still running?', null), { cause })
}

/** A cancelled request is known to the caller; otherwise the server is gone. */
function brokenOff(signal: AbortSignal | undefined): (cause: unknown) => never {
  return (cause) => {
    if (signal?.aborted === true) throw cause
    throw noAnswer(cause)
  }
}
