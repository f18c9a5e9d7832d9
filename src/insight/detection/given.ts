/** What somebody asks about → the request that probes are made from: paging values taken out, secrets known. */
import { ConnectorError } from '../../errors.ts'
import { credentialMark } from '../../engine/request/http-request.ts'
import { createRedactor, type Redactor } from '../../engine/response/redact.ts'
import { addressParts, type GivenRequest, type Pair } from '../../from-request/given-request.ts'
import { keptHeaders } from '../../from-request/kept-headers.ts'
import { type OpenRequest, takeSecrets } from '../../from-request/take-secrets.ts'
import { digitsIn } from '../link-query.ts'
import { isCountingName, isNameOf } from '../paging-names.ts'
import type { DetectionRequest } from './detection.ts'
import { filledSlots, inQuery, type Put, type Question, slotKey } from './question.ts'

export type Given = {
  readonly question: Question
  /** With templates in the place of secrets, as a manifest has it; without paging values. */
  readonly open: OpenRequest
  readonly redactor: Redactor
  /** Paging values that the address had: names to try first. */
  readonly taken: readonly Put[]
}

export function readGiven(request: DetectionRequest): Given {
  const parts = addressParts(request.url)
  if (parts === null || !/^https?:\/\//i.test(request.url.trim()))
    throw new ConnectorError('detection/invalid-url', 'The address is not one of HTTP.')
  const isPaging = ([name, value]: Pair) => movesPage(name, value)
  const taken = parts.query.filter(isPaging).map(([name, value]): Put => ({ slot: inQuery(name), value }))
  const query = parts.query.filter((pair) => !isPaging(pair))
  const headers = Object.entries(request.headers ?? {})
  const hasBody = request.json !== undefined || request.form !== undefined
  const method = request.method ?? (hasBody ? 'POST' : 'GET')
  const body =
    request.json !== undefined
      ? ({ kind: 'json', value: request.json } as const)
      : request.form !== undefined
        ? ({ kind: 'form', pairs: Object.entries(request.form) } as const)
        : null
  const given: GivenRequest = { ...parts, method, query, headers: keptHeaders(headers, hasBody), body, notes: [] }
  const open = takeSecrets(given)
  const user = parts.user === null ? [] : [['Authorization', `Basic ${btoa(parts.user)}`] as const]
  const hasAuthorization = headers.some(([name]) => /^authorization$/i.test(name))
  const secrets: ReadonlySet<unknown> = new Set([...Object.values(open.values), credentialMark])
  const filled = { query, json: request.json, form: request.form === undefined ? null : Object.entries(request.form) }
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

/** A place further on would be read from; how many records a page has is left as it is. */
function movesPage(name: string, value: string): boolean {
  if (isNameOf('size', name)) return false
  if (digitsIn(value) !== null) return isCountingName(name) || isNameOf('cursor', name)
  return isNameOf('cursor', name) && !isCountingName(name) && name !== 'since'
}
