/** Everything that is put into a request rather than written by the author, and where it goes. */
import { ConnectorError, type SourceLocation } from '../../errors.ts'
import type { Placement, StreamPlan } from '../plan/plan.ts'
import { describeValue, pythonText } from '../template/text.ts'
import { credentialPlacement } from './auth.ts'
import { isMapping } from './fields.ts'
import { credentialMark } from './http-request.ts'
import type { Source, Sourced } from './merge.ts'
import { type PageToken, tokenValue } from './page-token.ts'
import type { QueryPair } from './url.ts'

/** A value on its way into the request. */
export type Placed = { readonly source: Source; readonly placement: Placement; readonly value: unknown }

export type PlacedInput = {
  readonly stream: StreamPlan
  readonly token: PageToken | null
  readonly pageSize: number | string | null
  /** Values the slice itself sends. */
  readonly sliceOptions: readonly Placed[]
}

/** Credential, page token, page size, slice: in the order Airbyte sends them. */
export function placedValues({ stream, token, pageSize, sliceOptions }: PlacedInput): Placed[] {
  const { requester, pagination } = stream
  const placed: Placed[] = []
  const credential = credentialPlacement(requester.auth)
  if (credential !== null) placed.push({ source: 'authenticator', placement: credential, value: credentialMark })
  if (pagination.kind !== 'none') {
    const { token: tokenPlacement, size } = pagination
    if (tokenPlacement !== null && token !== null) {
      placed.push({ source: 'page_token_option', placement: tokenPlacement, value: tokenValue(token) })
    }
    if (size !== null && pageSize !== null) {
      placed.push({ source: 'page_size_option', placement: size.placement, value: pageSize })
    }
  }
  const skipsSlice = requester.sliceOptionsOnFirstPageOnly && token !== null
  return skipsSlice ? placed : [...placed, ...sliceOptions]
}

export function placedInto(placed: readonly Placed[], into: 'query' | 'header' | 'form'): Sourced<unknown>[] {
  return placed.flatMap(({ source, placement, value }) =>
    placement.into === into ? [{ source, name: placement.name, value }] : [],
  )
}

/** A list repeats its name; null is not sent. */
export function pairsOf({ name, value }: Sourced<unknown>, at: SourceLocation): QueryPair[] {
  if (value === null) return []
  if (typeof value !== 'object') return [[name, pythonText(value)]]
  if (isMapping(value)) {
    const message = `\`${name}\` would send ${describeValue(value)} as a parameter.`
    throw new ConnectorError('request/invalid-parameter', message, { at })
  }
  const items: unknown[] = Symbol.iterator in value ? Array.from(value as Iterable<unknown>) : [value]
  return items.flatMap((item) => (item === null ? [] : [[name, pythonText(item)] as const]))
}
