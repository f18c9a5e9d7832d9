/** What responses mean → the same for those that should hold a list of records: an error in the body is a failure. */
import { followPath } from '../../../std/values/get-at.ts'
import { listAt } from '../../../std/values/find-list.ts'
import { whatTheBodySays } from '../body-message.ts'
import { peekJson } from '../decode.ts'
import { type ErrorBody, errorInBody, isErrorName } from '../error-body.ts'
import type { HttpResponse } from '../http-response.ts'
import { answeredWith, type ResponseOutcome, retryOutcome } from '../outcome.ts'

type OutcomeOf = (response: HttpResponse, now: number) => ResponseOutcome

/**
 * A rule of the manifest that accepts a response without the list has the last word; the page then shows it. Bodies that are not JSON,
 * or that come as a stream, are left to the decoder. `path` is null where only a custom class knows it.
 */
export function expectingList(outcomeOf: OutcomeOf, path: readonly string[] | null): OutcomeOf {
  return (response, now) => {
    const outcome = outcomeOf(response, now)
    if (outcome.kind !== 'accept' || response.stream !== undefined || isWithoutContent(response)) return outcome
    const body = peekJson(response)
    if (body === null) return outcome
    const { value } = body
    if (outcome.byRule)
      return path !== null && listAt(value, path) !== 'found' ? { ...outcome, lacksList: true } : outcome
    const error = response.body.length > 0 ? errorInBody(value, path) : path === null ? null : emptyBody
    return error === null ? outcome : failing(response, now, { error, path, value })
  }
}

const emptyBody: ErrorBody = { kind: 'empty' }

/** An empty page that proves nothing. */
export function isWithoutContent({ status, body }: HttpResponse): boolean {
  return (status === 204 || status === 205) && body.length === 0
}

/** It may pass, as every error of a server may; then it is the failure of the slice. */
function failing(
  response: HttpResponse,
  now: number,
  {
    error,
    path,
    value,
  }: { readonly error: ErrorBody; readonly path: readonly string[] | null; readonly value: unknown },
): ResponseOutcome {
  const said = error.kind === 'member' || error.kind === 'text' ? whatTheBodySays(response) : null
  const list = path === null ? 'records' : path.length === 0 ? 'a list of records' : `the list at \`${path.join('.')}\``
  const words = said === null ? '' : `: ${said}`
  return {
    ...retryOutcome(response, now, `${answeredWith(response)} with ${described(error)} instead of ${list}${words}.`),
    code: 'response/error-body',
    hint: `${usualHint} If it means that there is nothing to read, add a response filter: \`{ type: HttpResponseFilter, action: IGNORE, predicate: "${predicateFor(error, value)}" }\`.`,
  }
}

const usualHint = 'Check the request and the quota of the API, and run again.'

function described(error: ErrorBody): string {
  switch (error.kind) {
    case 'empty':
      return 'an empty body'
    case 'null':
      return '`null`'
    case 'text':
      return 'a bare text'
    case 'member':
      return `an error (\`${error.path.join('.')}\`)`
  }
}

/**
 * Matches this response and no good one: in a predicate `none` counts as true, as in Airbyte, and a status is there on good pages too.
 */
function predicateFor(error: ErrorBody, body: unknown): string {
  if (error.kind === 'text') return '{{ response is string }}'
  if (error.kind !== 'member') return '{{ not response }}'
  const [last = '', ...above] = error.path.toReversed()
  const holder = above.reduceRight((expression, name) => `(${expression}.get('${name}') or {})`, 'response')
  const member = `${holder}.get('${last}')`
  const found = followPath(body, error.path)
  if (isErrorName(last)) return `{{ ${member} | default(false, true) }}`
  if (typeof found === 'boolean') return `{{ ${member} == ${found} }}`
  return typeof found === 'number' ? `{{ ${member} == ${found} }}` : `{{ ${member} == ${quoted(String(found))} }}`
}

/** Within a template within a quoted YAML string. */
function quoted(text: string): string {
  return `'${text.replace(/[\\'"{}\n]/g, '')}'`
}
