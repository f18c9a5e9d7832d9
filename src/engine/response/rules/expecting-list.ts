/** What responses mean → the same for those that should hold a list of records: an error in the body is a failure. */
import { followPath } from '../../../std/values/get-at.ts'
import { isObject } from '../../../std/values/objects.ts'
import { listAt } from '../../../std/values/find-list.ts'
import { whatTheBodySays } from '../body-message.ts'
import { decodeText, peekJson } from '../decode.ts'
import { type ErrorBody, errorInBody, isErrorName } from '../error-body.ts'
import { isGzip } from '../formats/is-gzip.ts'
import { encodingInXml, parseXml } from '../formats/xml.ts'
import type { HttpResponse } from '../http-response.ts'
import { smallBytes } from '../small-bodies.ts'
import { answeredWith, described, type ResponseOutcome, retryOutcome } from '../outcome.ts'

type OutcomeOf = (response: HttpResponse, now: number) => ResponseOutcome

/** Where the list is: `path` is null where only a custom class knows. In a format of items the body is the list. */
export type ExpectedList = { readonly format: 'json' | 'xml' | 'items'; readonly path: readonly string[] | null }

/**
 * A rule of the manifest that accepts a response without the list has the last word; the page then shows it. Bodies that cannot be decoded,
 * or that come as a stream, are left to the decoder.
 */
export function expectingList(outcomeOf: OutcomeOf, { format, path }: ExpectedList): OutcomeOf {
  const judge = format === 'json' ? judgeJson : judgeOther
  return (response, now) => {
    const outcome = outcomeOf(response, now)
    if (outcome.kind !== 'accept' || response.stream !== undefined || isWithoutContent(response)) return outcome
    // What is inside is left to the decoder: errors come as they are.
    if (isGzip(response.body)) return outcome
    return judge(outcome, response, now, path)
  }
}

type Accepted = Extract<ResponseOutcome, { kind: 'accept' }>
type Path = ExpectedList['path']

function judgeJson(outcome: Accepted, response: HttpResponse, now: number, path: Path): ResponseOutcome {
  const body = peekJson(response)
  if (body === null) return outcome
  const { value } = body
  if (outcome.byRule)
    return path !== null && listAt(value, path) !== 'found' ? { ...outcome, lacksList: true } : outcome
  const error = response.body.length > 0 ? errorInBody(value, path) : path === null ? null : emptyBody
  return error === null ? outcome : failing(response, now, { error, path, value })
}

/** Errors come as JSON whatever the format of the records, or in their format. What is more than an error is left to the decoder. */
function judgeOther(outcome: Accepted, response: HttpResponse, now: number, path: Path): ResponseOutcome {
  const { body } = response
  if (body.length > smallBytes) return outcome
  const start = body.subarray(0, mostSpace).findIndex((byte) => byte === lessThan || byte === brace)
  if (start === -1) return outcome
  if (body[start] === lessThan) {
    const value = outcome.byRule ? null : peekXmlError(response)
    const error = value === null || isItem(value, path) ? null : errorInBody(value, path)
    return error?.kind === 'member' ? failing(response, now, { error, path, value, isXml: true }) : outcome
  }
  // Of several lines that each are an object, none is the whole response, and together they are not JSON.
  const value = peekJson(response)?.value
  const error = errorInBody(value, null)
  if (error === null) return outcome
  // It would be read as a record.
  if (outcome.byRule) return outcome.lacksList ? { kind: 'ignore', reason: described(response) } : outcome
  return failing(response, now, { error, path: null, value })
}

const [lessThan, brace] = [0x3c, 0x7b]
/** Before the first of them; a byte order mark has three. */
const mostSpace = 20

/** A list of one is an object in XML, and may report anything. */
function isItem(value: unknown, path: Path): boolean {
  return path !== null && path.length > 0 && isObject(followPath(value, path))
}

/** Most responses are not parsed for it: nothing in them is called an error. */
function peekXmlError(response: HttpResponse): unknown {
  try {
    const text = decodeText(response, encodingInXml(response.body))
    return /error|fault|exception|fail|denied|invalid/i.test(text) ? parseXml(text) : null
  } catch {
    return null
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
    isXml = false,
  }: { readonly error: ErrorBody; readonly path: Path; readonly value: unknown; readonly isXml?: boolean },
): ResponseOutcome {
  const holder = isXml && error.kind === 'member' ? followPath(value, error.path.slice(0, -1)) : undefined
  const said = error.kind === 'member' || error.kind === 'text' ? whatTheBodySays(response, holder) : null
  const list = path === null ? 'records' : path.length === 0 ? 'a list of records' : `the list at \`${path.join('.')}\``
  const words = said === null ? '' : `: ${said.replace(/\.$/, '')}`
  return {
    ...retryOutcome(response, now, `${answeredWith(response)} with ${kindOf(error)} instead of ${list}${words}.`),
    code: 'response/error-body',
    hint: `${usualHint} If it means that there is nothing to read, add a response filter: \`{ type: HttpResponseFilter, action: IGNORE, ${isXml ? wordsFor(error) : `predicate: "${predicateFor(error, value)}"`} }\`.`,
  }
}

const usualHint = 'Check the request and the quota of the API, and run again.'

function kindOf(error: ErrorBody): string {
  switch (error.kind) {
    case 'empty':
      return 'an empty body'
    case 'null':
      return '`null`'
    case 'text':
      return 'a bare string'
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

/** Predicates see JSON only; of any other response, its text is searched. */
function wordsFor(error: ErrorBody): string {
  const name = error.kind === 'member' ? (error.path.at(-1) ?? '') : ''
  return `error_message_contains: ${name.startsWith('@') ? `'${name.slice(1)}='` : `'<${name}'`}`
}

/** Within a template within a quoted YAML string. */
function quoted(text: string): string {
  return `'${text.replace(/[\\'"{}\n]/g, '')}'`
}
