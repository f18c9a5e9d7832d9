/** The author's body and the values placed into it → its text, or null when there is none. */
import { ConnectorError, type SourceLocation } from '../../std/errors.ts'
import type { RequesterPlan } from '../plan/requester.ts'
import type { Scope } from '../template/template.ts'
import { pythonText } from '../template/text.ts'
import { encodeJson } from './encode-json.ts'
import { evaluateFields, evaluateJson } from './fields.ts'
import { type JsonObject, mergeJson, mergeNamed, nest, sourcedAs, type Sourced } from './merge.ts'
import { pairsOf, type Placed, placedInto } from './placement.ts'
import { encodePairs } from './url.ts'

/** Whose body it is, and whom to name when it cannot be built. */
type Author = { readonly requester: RequesterPlan; readonly at: SourceLocation }

export type Body = { readonly text: string; readonly contentType: string | null }

export function buildBody(author: Author, scope: Scope, placed: readonly Placed[]): Body | null {
  const { at } = author
  const { body } = author.requester
  const json = jsonOf(author, scope, placed)
  const form = formOf(author, scope, placed)
  const text = body.kind === 'text' ? pythonText(body.value.evaluate(scope)) : ''

  const kinds = [...(json === null ? [] : ['JSON']), ...(form.length > 0 ? ['form'] : []), ...(text ? ['text'] : [])]
  if (kinds.length > 1) {
    const message = `The request would carry a ${kinds.join(' and a ')} body.`
    throw new ConnectorError('request/two-bodies', message, { at })
  }
  if (json !== null) return { text: encodeJson(json, at), contentType: 'application/json' }
  if (text !== '') return { text, contentType: null }
  if (form.length === 0) return null
  const pairs = form.flatMap((field) => pairsOf(field, at))
  return { text: encodePairs(pairs), contentType: 'application/x-www-form-urlencoded' }
}

function jsonOf({ requester: { body }, at }: Author, scope: Scope, placed: readonly Placed[]): JsonObject | null {
  const own = body.kind === 'json' ? evaluateJson(body.value, scope, at) : {}
  const injected = placed.flatMap(({ source, placement, value }) =>
    placement.into === 'json' ? [{ source, value: nest(placement.path, value) }] : [],
  )
  const merged = injected.length === 0 ? own : mergeJson([{ source: 'request body', value: own }, ...injected], at)
  return Object.keys(merged).length === 0 ? null : merged
}

function formOf({ requester: { body }, at }: Author, scope: Scope, placed: readonly Placed[]): Sourced<unknown>[] {
  const own = body.kind === 'form' ? evaluateFields(body.fields, scope, 'param') : []
  return mergeNamed([...sourcedAs('request body', own), ...placedInto(placed, 'form')], 'the form field', at)
}
