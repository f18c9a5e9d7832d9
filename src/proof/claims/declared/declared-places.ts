/** The templates of a cursor → the places where the manifest reads the next page and the end. */
import type { PaginationPlan } from '../../../engine/plan/pagination.ts'
import type { Body, Expression } from '../../../engine/template/syntax/ast.ts'
import { isEmptyValue, pathRead } from '../../../engine/template/syntax/path.ts'
import { parseTemplate } from '../../../engine/template/syntax/statements.ts'
import { normalise } from '../../../engine/template/syntax/tokens.ts'
import { isSamePlace, type ResponsePlace } from '../response-place.ts'
import { placesInCondition, placeInResponse, type DeclaredPlace } from './conditions.ts'

/** None where the method counts, or where a custom class decides. */
export function declaredPlacesOf(plan: PaginationPlan, recordPath: readonly string[] | null): readonly DeclaredPlace[] {
  if (plan.kind !== 'cursor') return []
  const stops = plan.stopWhen === null ? [] : bodyOf(plan.stopWhen.source).flatMap((one) => stopPlaces(one))
  const places = [...stops, ...placesInBody(bodyOf(plan.value.source))]
  return places.filter(({ place }, index) => {
    const isFirst = places.findIndex((one) => isSamePlace(one.place, place)) === index
    return isFirst && !isOfRecords(place, recordPath) && !isElsewhere(places[index])
  })
}

/** Whether the cursor's template may end the read although a next page is named. */
export function isConditional(plan: PaginationPlan): boolean {
  if (plan.kind !== 'cursor') return false
  return bodyOf(plan.value.source).some((one) => {
    if (one.kind === 'if') return true
    return one.kind === 'output' && (one.value.kind === 'condition' || one.value.kind === 'and')
  })
}

/** Links to other pages than the next: following one of them skips pages. */
const elsewhere = /^_?(last|prev(ious)?|first|self|current)(_?-?(page|url|link|href|uri|cursor|token|id)s?)*$/i

function isElsewhere(declared: DeclaredPlace | undefined): boolean {
  return declared?.means === 'next' && declared.place.slice(1).some((name) => elsewhere.test(name))
}

/** Where the cursor is read, if its name says that it is another page than the next; null otherwise. */
export function otherLinkOf(plan: PaginationPlan): ResponsePlace | null {
  if (plan.kind !== 'cursor') return null
  return placesInBody(bodyOf(plan.value.source)).find(isElsewhere)?.place ?? null
}

/** `last_record.id`, `last_records[-1].id`: the field whose value is the cursor; null where the cursor is anything else. */
export function cursorFieldOf(plan: PaginationPlan): readonly string[] | null {
  const [only, ...others] = plan.kind === 'cursor' ? bodyOf(plan.value.source) : []
  const read = only?.kind === 'output' && others.length === 0 ? pathRead(only.value) : null
  const [root, ...names] = read ?? []
  if (root === 'last_record' && names.length > 0) return names
  return root === 'last_records' && names[0] === '-1' && names.length > 1 ? names.slice(1) : null
}

function bodyOf(source: string): Body {
  return parseTemplate(normalise(source))
}

function stopPlaces(statement: Body[number]): DeclaredPlace[] {
  return statement.kind === 'output' ? placesInCondition(statement.value, true) : []
}

function placesInBody(body: Body): DeclaredPlace[] {
  return body.flatMap((statement) => {
    if (statement.kind === 'output') return placesInValue(statement.value)
    // `{% if response.more %}{{ response.next }}{% endif %}`
    if (statement.kind !== 'if' || hasValue(statement.otherwise)) return []
    return [...placesInCondition(statement.test, false), ...placesInBody(statement.body)]
  })
}

function hasValue(body: Body): boolean {
  return body.some((statement) => statement.kind !== 'text' || statement.text.trim() !== '')
}

/** The places that the cursor is made of: a value is there while another page follows. */
function placesInValue(value: Expression): DeclaredPlace[] {
  const place = placeInResponse(pathRead(value))
  if (place !== null) return [{ place, means: 'next' }]
  switch (value.kind) {
    case 'or':
      return [...placesInValue(value.left), ...placesInValue(value.right)]
    case 'and':
      return [...placesInCondition(value.left, false), ...placesInValue(value.right)]
    case 'condition': {
      const { test, yes, no } = value
      if (no === null || isEmptyValue(no)) return [...placesInCondition(test, false), ...placesInValue(yes)]
      return isEmptyValue(yes) ? [...placesInCondition(test, true), ...placesInValue(no)] : []
    }
    // A part of the next link: `response.next.split('=')[1]`, `response.next | regex_search(…)`.
    case 'filter':
      return placesInValue(value.input)
    case 'call':
      return value.callee.kind === 'attribute' ? placesInValue(value.callee.of) : []
    case 'item':
    case 'slice':
      return placesInValue(value.of)
    default:
      return []
  }
}

/** What is read from the list of records, or is that list, speaks of records and not of pages. */
function isOfRecords([from, ...names]: ResponsePlace, recordPath: readonly string[] | null): boolean {
  if (from === 'header' || recordPath === null || recordPath.length === 0) return false
  const shared = Math.min(names.length, recordPath.length)
  return recordPath.slice(0, shared).every((name, index) => name === names[index])
}
