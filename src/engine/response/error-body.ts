/** A decoded body that should hold a list of records → whether it reports an error instead. */
import { plainLetters } from '../../std/text/plain-letters.ts'
import { followPath } from '../../std/values/get-at.ts'
import { listAt } from '../../std/values/find-list.ts'
import { isList, isObject, type Members } from '../../std/values/objects.ts'

/** What the body is instead of a list; null where it has the list, or nothing shows that it is an error. */
export type ErrorBody =
  | { readonly kind: 'empty' | 'null' | 'text' }
  /** The member that says so: `error`, `status`. */
  | { readonly kind: 'member'; readonly path: readonly string[] }

/** `path` is null where only a custom class knows where records are: then only a plain error counts. */
export function errorInBody(body: unknown, path: readonly string[] | null): ErrorBody | null {
  if (path === null) return isPlainError(body) ? errorMember(body) : null
  if (body === null) return { kind: 'null' }
  if (!isObject(body)) return isList(body) ? null : { kind: 'text' }
  const found = followPath(body, path)
  // Nearly every page: nothing else needs to be checked.
  if (isList(found) && found.length > 0) return null
  // A record may well have a field `error` and a status: only an object that is nothing but an error is none.
  if (isObject(found) && !isHollow(found)) return isPlainError(found) ? errorMember(found, path) : null
  if (isHollow(found) || listAt(body, path) !== 'found') return errorMember(body)
  // An empty list next to an error is a failed query; "not found" next to one is an empty result.
  return isList(found) ? errorMember(body, [], isNotFound) : null
}

/** Whether a body that has its list reports an error, or that it is not whole: its records are good, and prove nothing. */
export function isReported(body: unknown): boolean {
  if (!isObject(body)) return false
  const names = Object.keys(body)
  // An object with more members is a map of records, whose keys may be called anything.
  if (names.length > mostMembers) return false
  return (
    errorMember(body, [], isNotFound) !== null ||
    names.some((name) => partial.has(plainLetters(name)) && body[name] === true)
  )
}

/** This is asked of every page, so a large body must not make it slow. */
const mostMembers = 100

/** Elasticsearch, Solr and GitHub say so. */
const partial = new Set(['timedout', 'partialresults', 'incompleteresults', 'ispartial', 'partial'])

function isNotFound(value: unknown): boolean {
  return Number(value) === 404 || (typeof value === 'string' && /not.?found/i.test(value))
}

/** Objects next to the missing list that report on the whole response. */
const reports = ['meta', 'metadata', 'response', 'result', 'status', 'header', 'responseHeader', 'head']

function errorMember(
  body: Members,
  above: readonly string[] = [],
  isFine: (value: unknown) => boolean = () => false,
): ErrorBody | null {
  const says = (name: string, value: unknown) => saysError(name, value) && !isFine(value)
  const name = Object.keys(body).find((one) => says(one, body[one]))
  if (name !== undefined) return { kind: 'member', path: [...above, name] }
  for (const holder of reports) {
    const inner = body[holder]
    const members = isObject(inner) ? Object.keys(inner) : []
    const member = members.length > mostMembers ? undefined : members.find((one) => says(one, (inner as Members)[one]))
    if (member !== undefined) return { kind: 'member', path: [...above, holder, member] }
  }
  return null
}

/** Whether anything at all under this name is an error. */
export function isErrorName(name: string): boolean {
  return errorNames.has(plainLetters(name))
}

const errorNames = new Set(['error', 'errors', 'errormessage', 'errormessages', 'fault', 'exception'])

/** A lone `message` says nothing: many an API sends one when there is nothing to list. */
function saysError(name: string, value: unknown): boolean {
  const letters = plainLetters(name)
  if (errorNames.has(letters)) return isSomething(value)
  switch (letters) {
    case 'success':
    case 'ok':
      return value === false || value === 'false'
    case 'iserror':
    case 'haserror':
      return value === true || value === 'true'
    case 'status':
    case 'state':
    case 'code':
    case 'statuscode':
    case 'errorcode':
    case 'result':
      return isErrorStatus(value)
    default:
      return false
  }
}

/** `errors: []`, `error: null` and `error: 0` are how APIs say that there is none. */
function isSomething(value: unknown): boolean {
  if (typeof value === 'string') return !/^(|0|none|null|false|ok|success)$/i.test(value.trim())
  if (isList(value)) return value.length > 0
  if (isObject(value)) return Object.keys(value).length > 0
  return value !== null && value !== undefined && value !== false && Number(value) !== 0
}

function isErrorStatus(value: unknown): boolean {
  if (typeof value === 'string' && !/^-?\d+$/.test(value.trim())) {
    return /error|\berr\b|fail|fault\b|invalid|denied|unauthori[sz]ed|forbidden|exceed|too.?many|unavailable|not.?found|timeout|quota|throttl|rate.?limit/i.test(
      value,
    )
  }
  const number = Number(value)
  return (typeof value === 'number' || typeof value === 'string') && ((number >= 400 && number < 600) || number < 0)
}

const errorWords = new Set(
  `error errors errormessage errormessages fault exception message messages msg detail details description errordescription code
  errorcode status statuscode state success ok iserror haserror type title instance reason requestid traceid timestamp time path
  documentationurl moreinfo helpurl hint statustext result data`.split(/\s+/),
)

/** An object without a single value: `{}`, `{ items: null }`. */
export function isHollow(value: unknown): boolean {
  return isObject(value) && Object.values(value).every((member) => member === null || isHollow(member))
}

/** Every member belongs to an error, and one of them says that it is one. */
export function isPlainError(body: unknown): body is Members {
  return isMessage(body) && errorMember(body) !== null
}

/** An object that is a message for people, and has nothing that a record would have. */
export function isMessage(body: unknown): body is Members {
  if (!isObject(body)) return false
  const names = Object.keys(body)
  return (
    names.length > 0 &&
    names.every((name) => errorWords.has(plainLetters(name)) && !isFilled(plainLetters(name), body[name]))
  )
}

/** `data` and `result` belong to an error only while there is nothing in them. */
function isFilled(name: string, value: unknown): boolean {
  return (name === 'data' || name === 'result') && typeof value === 'object' && isSomething(value) && !isHollow(value)
}
