/** The given request → the request that probes are made from: without paging values, with its secrets known. */
import { ConnectorError } from '../../std/errors.ts'
import { credentialMark } from '../../engine/request/http-request.ts'
import { createRedactor, type Redactor } from '../../engine/secrets/redact.ts'
import {
  addressParts,
  type GivenRequest,
  keptHeaders,
  type Pair,
  withoutPath,
} from '../../from-request/given-request.ts'
import { isInputName } from '../../engine/secrets/credential-names.ts'
import { type OpenRequest, takeSecrets } from '../../from-request/take-secrets.ts'
import { isObject } from '../../std/values/objects.ts'
import { digitsIn } from '../claims/link-query.ts'
import { isCountingName, isNameOf, type NameKind, headerNamesOf } from '../names/paging-names.ts'
import type { DetectionRequest } from './detection.ts'
import { filledSlots, type Put, type BaseRequest, type Slot, slotKey, type SlotValue } from './probe-request.ts'
import { isHolder } from './slots.ts'

export type GivenInput = {
  readonly question: BaseRequest
  /** With templates in the place of secrets, as a manifest has it; without paging values. */
  readonly open: OpenRequest
  readonly redactor: Redactor
  /** Paging values that the address had: names to try first. */
  readonly taken: readonly Put[]
}

export function readGivenInput(request: DetectionRequest): GivenInput {
  if (!isObject(request) || typeof request.url !== 'string') throw noRequest()
  const parts = addressParts(request.url)
  if (parts === null || !/^https?:\/\//i.test(request.url.trim()))
    throw new ConnectorError('detection/invalid-url', 'The URL is not an http or https URL.')
  const isPaging = ([name, value]: Pair) => movesPage(name, value)
  const query = parts.query.filter((pair) => !isPaging(pair))
  const form = request.form === undefined ? null : Object.entries(request.form)
  const filledAll = filledSlots({ query: parts.query, json: request.json, form })
  const allHeaders = Object.entries(request.headers ?? {})
  const headers = allHeaders.filter((pair) => !isPagingHeader(pair))
  const inHeaders = allHeaders.filter(isPagingHeader).map(([name, value]): Put => ({ slot: inHeader(name), value }))
  const taken = [
    ...filledAll.flatMap(({ slot, value }): Put[] => (isTaken(slot, value) ? [{ slot, value }] : [])),
    ...inHeaders,
  ]
  const json = taken.reduce(
    (value, { slot }) => (slot.into === 'body_json' ? withoutPath(value, slot.path) : value),
    request.json,
  )
  const pairs = form?.filter((pair) => !isPaging(pair)) ?? null
  const hasBody = request.json !== undefined || request.form !== undefined
  const method = request.method ?? (hasBody ? 'POST' : 'GET')
  const body =
    request.json !== undefined
      ? ({ kind: 'json', value: json } as const)
      : pairs !== null
        ? ({ kind: 'form', pairs } as const)
        : null
  const given: GivenRequest = { ...parts, method, query, headers: keptHeaders(headers, hasBody), body, notes: [] }
  const open = takeSecrets(given)
  const user = parts.user === null ? [] : [['Authorization', `Basic ${btoa(parts.user)}`] as const]
  const hasAuthorization = headers.some(([name]) => /^authorization$/i.test(name))
  const secrets: ReadonlySet<unknown> = new Set([...Object.values(open.values), credentialMark])
  const filled = { query, json, form: pairs }
  const held = filledSlots(filled).filter(({ value }) => secrets.has(value))
  return {
    question: {
      method,
      address: parts.origin + (parts.path === '' ? '/' : parts.path),
      ...filled,
      headers: [...headers, ...(hasAuthorization ? [] : user)],
      held: new Set(held.map(({ slot }) => slotKey(slot))),
    },
    open,
    redactor: createRedactor(Object.values(open.values)),
    taken,
  }
}

function noRequest(): ConnectorError {
  const hint = 'Pass an object: `detect({ url: "https://api.example.com/v1/orders" })`.'
  return new ConnectorError('detection/invalid-url', 'The request has no URL.', { hint })
}

/** Value by name, of the inputs that the manifest of this request has: its secrets. */
export function inputValues(request: DetectionRequest): Readonly<Record<string, string>> {
  return readGivenInput(request).open.values
}

function inHeader(name: string): Slot {
  return { into: 'header', path: [name] }
}

/** Only names that say so: a header is seldom there for paging. */
function isPagingHeader([name, value]: Pair): boolean {
  const isOf = (...kinds: readonly NameKind[]) =>
    kinds.some((kind) => headerNamesOf(kind).some((known) => known.toLowerCase() === name.toLowerCase()))
  if (isInputName(name)) return false
  return isOf('cursor') || (digitsIn(value) !== null && isOf('page', 'offset'))
}

/** In a body, only at the top or in an object made for paging: elsewhere the same name filters. */
function isTaken({ into, path }: Slot, value: unknown): value is SlotValue {
  if (typeof value !== 'string' && typeof value !== 'number') return false
  const isNear = into !== 'body_json' || path.length === 1 || (path.length === 2 && isHolder(path[0] ?? ''))
  return isNear && movesPage(path.at(-1) ?? '', String(value))
}

/** A place further on would be read from; how many records a page has is left as it is. */
function movesPage(name: string, value: string): boolean {
  if (isNameOf('size', name) || isInputName(name)) return false
  if (digitsIn(value) !== null) return isCountingName(name) || isNameOf('cursor', name)
  return isNameOf('cursor', name) && !isCountingName(name) && name !== 'since'
}
