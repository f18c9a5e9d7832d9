/** A request that paging takes part in → which of its values went where. */
import type { PaginationPlan } from '../../engine/plan/pagination.ts'
import type { FieldsPlan, RequesterPlan } from '../../engine/plan/requester.ts'
import type { Placement } from '../../engine/plan/plan.ts'
import { evaluateFields } from '../../engine/request/fields.ts'
import { pagedValues } from '../../engine/request/placement.ts'
import { type RequestInput, requestScope } from '../../engine/request/request.ts'
import type { Scope } from '../../engine/template/template.ts'
import { pythonText } from '../../engine/template/text.ts'
import type { PagingMark } from '../wire/inspection.ts'

export function pagingMarks(
  pagination: PaginationPlan,
  input: RequestInput,
  pageSize: number | string | null,
): PagingMark[] {
  const { token, requester } = input
  // A link brings its own parameters, and takes the place of all that the address was made of.
  if (token?.url !== undefined) return [{ what: 'page-token', place: 'path', name: '', value: pythonText(token.value) }]
  const placed = pagedValues(pagination, token, pageSize).map(
    ({ source, placement, value }): PagingMark => ({
      what: source === 'page_size_option' ? 'page-size' : 'page-token',
      ...placeOf(placement),
      value: pythonText(value),
    }),
  )
  return [...placed, ...markedTemplates(requester, requestScope(input))]
}

function placeOf(placement: Placement): Pick<PagingMark, 'place' | 'name'> {
  switch (placement.into) {
    case 'query':
    case 'header':
      return { place: placement.into, name: placement.name }
    case 'form':
      return { place: 'body', name: placement.name }
    case 'json':
      return { place: 'body', name: placement.path.join('.') }
    case 'path':
      return { place: 'path', name: '' }
  }
}

/** Where the author's own templates use the token: a prefix, several values in one, a part of the path. */
function markedTemplates({ query, headers, body, path }: RequesterPlan, scope: Scope): PagingMark[] {
  const isRead = path?.names.has('next_page_token') === true
  return [
    ...markedFields(query, scope, 'query'),
    ...markedFields(headers, scope, 'header'),
    ...(body.kind === 'form' ? markedFields(body.fields, scope, 'body') : []),
    ...(isRead
      ? [{ what: 'page-token', place: 'path', name: 'path', value: pythonText(path.evaluate(scope)) } as const]
      : []),
  ]
}

function markedFields(fields: FieldsPlan | null, scope: Scope, place: PagingMark['place']): PagingMark[] {
  if (fields === null || 'evaluate' in fields) return []
  const reading = fields.filter(({ value }) => value.names.has('next_page_token'))
  const values = evaluateFields(reading, scope, place === 'header' ? 'header' : 'param')
  return values.map(({ name, value }) => ({ what: 'page-token', place, name, value: pythonText(value) }))
}
