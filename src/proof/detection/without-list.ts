/** A response without a list of records → one object, read as one record, or no result. */
import { isList, isObject, type Members } from '../../std/values/objects.ts'
import { count } from '../../std/text/format-count.ts'
import type { ProbeResponse } from './probe-sender.ts'
import { unpaginatedCandidate } from './candidates.ts'
import type { Explanation } from './explain.ts'
import { moreClaimed } from './first-page-claims.ts'
import { keysOf, type RecordLayout } from './probed-pages.ts'
import type { Put } from './probe-request.ts'
import { bareListsIn, type BareList, idField } from './record-lists.ts'

export function withoutList(response: ProbeResponse, needed: readonly Put[], stream: string): Explanation {
  const { body } = response
  const cannot = (says: string): Explanation => ({
    answer: 'cannot-tell',
    says,
    candidates: [],
    records: [],
    endRule: null,
    expected: { first: { response, path: [], records: [], keys: [] }, layout: nothing, seen: [], needed },
  })
  const [bare] = bareListsIn(body, stream)
  if (bare !== undefined) return cannot(sayBare(bare))
  if (!isObject(body) || Object.keys(body).length === 0) return cannot('The response has no list of objects.')
  const more = moreClaimed({ response, path: [], records: [body], keys: [''] }, { ...nothing, path: nowhere })
  if (more !== null) return cannot(`The response has no list of objects, but mentions pages: ${more}.`)
  if (saysList(body))
    return cannot('The response says that it is a list, but has none: it may be empty. Try a URL that returns records.')
  if (isMap(body))
    return cannot('The response is an object of objects, which may be records by key, or parts of one record.')
  const candidate = unpaginatedCandidate(1, [], null)
  const layout: RecordLayout = { ...nothing, id: idField([body]) }
  return {
    answer: 'not-paginated',
    says: 'Not paginated: the response is one object, and nothing in it mentions pages.',
    candidates: [{ ...candidate, evidence: ['There is no list that could have pages.'] }],
    records: [body],
    endRule: null,
    expected: {
      first: { response, path: [], records: [body], keys: keysOf([body], layout) },
      layout,
      seen: [],
      needed,
    },
  }
}

const nothing: RecordLayout = { path: [], id: null, fields: [] }

function sayBare({ path, values }: BareList): string {
  const at = path.length === 0 ? 'The response is' : `At ${path.join('.')} the response has`
  const kinds = new Set(values.map((value) => (isList(value) ? 'list' : isObject(value) ? 'object' : typeof value)))
  const [kind] = kinds
  const items =
    kinds.size === 1 && kind !== undefined ? count(values.length, kind) : `${values.length} items of several kinds`
  return `${at} a list of ${items}. Records must be objects with fields, so a custom class has to make records of them, here as in Airbyte: see docs/lists-of-strings.md.`
}

/** No member is called so: every one of them may speak of pages. */
const nowhere = ['']

/** `kind: "drive#fileList"`, `object: "list"`: some leave an empty list out. */
function saysList(body: Members): boolean {
  return ['kind', 'object', 'type', '@type', 'resourceType'].some((name) => {
    const value = body[name]
    return (
      typeof value === 'string' && /(^|[^a-z])(list|collection|page|listing)$|[a-z](List|Collection|Page)$/.test(value)
    )
  })
}

function isMap(body: Members): boolean {
  const names = Object.keys(body)
  return names.length > 1 && names.every((name) => isObject(body[name]))
}
