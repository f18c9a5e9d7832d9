/** Values that are placed into a request, and where: credential, page token, page size. */
import { ConnectorError, type SourceLocation } from '../../std/errors.ts'
import { type AuthPlan, credentialPlacement } from '../auth/plan/authenticator.ts'
import type { PaginationPlan } from '../plan/pagination.ts'
import type { Placement } from '../plan/plan.ts'
import { describeValue, pythonText } from '../template/text.ts'
import { isMapping } from './fields.ts'
import { credentialMark } from './http-request.ts'
import type { ValueSource, Sourced } from './merge.ts'
import { type PageToken, tokenValue } from './page-token.ts'
import type { QueryPair } from './url.ts'

/** A value on its way into the request. */
export type PlacedValue = { readonly source: ValueSource; readonly placement: Placement; readonly value: unknown }

/** What paging puts into the request of one page. */
export function pagedValues(
  pagination: PaginationPlan,
  token: PageToken | null,
  pageSize: number | string | null,
): PlacedValue[] {
  if (pagination.kind === 'none') return []
  const placed: PlacedValue[] = []
  const { token: placement, size } = pagination
  if (placement !== null && token !== null) {
    placed.push({ source: 'page_token_option', placement, value: tokenValue(token) })
  }
  if (size !== null && pageSize !== null) {
    placed.push({ source: 'page_size_option', placement: size.placement, value: pageSize })
  }
  return placed
}

/** The placement of the credential, with a mark that signing replaces. */
export function markedCredential(auth: AuthPlan): PlacedValue[] {
  const placement = credentialPlacement(auth)
  return placement === null ? [] : [{ source: 'authenticator', placement, value: credentialMark }]
}

export function placedInto(placed: readonly PlacedValue[], into: 'query' | 'header' | 'form'): Sourced<unknown>[] {
  return placed.flatMap(({ source, placement, value }) =>
    placement.into === into ? [{ source, name: placement.name, value }] : [],
  )
}

/** A list repeats its name, and so does a list in it; null is not sent. */
export function pairsOf({ name, value }: Sourced<unknown>, at: SourceLocation): QueryPair[] {
  if (value === null) return []
  if (typeof value !== 'object') return [[name, pythonText(value)]]
  if (isMapping(value)) {
    const message = `\`${name}\` would send ${describeValue(value)} as a parameter.`
    throw new ConnectorError('request/invalid-parameter', message, { at })
  }
  return itemsIn(value).flatMap((item) => {
    if (item === null) return []
    const inner = typeof item !== 'object' || isMapping(item) ? [item] : itemsIn(item)
    return inner.map((one) => [name, pythonText(one)] as const)
  })
}

function itemsIn(value: object): unknown[] {
  return Symbol.iterator in value ? Array.from(value as Iterable<unknown>) : [value]
}
