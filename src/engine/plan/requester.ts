/** `requester` → where requests go and what they carry. */
import { ConnectorError } from '../../std/errors.ts'
import type { CustomPlan } from '../custom/component.ts'
import { isComponent } from '../manifest/components.ts'
import type { Component } from '../manifest/manifest.ts'
import { isFilled, isObject, memberOfNode, type Node } from '../manifest/tree.ts'
import type { Template } from '../template/template.ts'
import { type AuthPlan, planAuth } from '../auth/plan/authenticator.ts'
import { type ErrorPlan, planErrors } from './error-handler.ts'
import type { Parameters } from './plan.ts'
import {
  compileAt,
  componentIn,
  type Fields,
  parametersOf,
  planCustom,
  type PlanInput,
  requiredTemplateIn,
  templateIn,
  unsupported,
} from './read-fields.ts'

export type RequesterPlan = {
  readonly method: string
  /** The address without the path of the stream. */
  readonly base: Template
  readonly path: Template | null
  readonly query: FieldsPlan | null
  readonly headers: FieldsPlan | null
  readonly body: BodyPlan
  readonly auth: AuthPlan
  readonly errors: ErrorPlan
  readonly parameters: Parameters
  /** Other streams of a run may reuse the responses: this one is, or has, a parent. */
  readonly reuses: boolean
  /** How long the server may be silent; null where the limits of the network decide. */
  readonly silenceMs: number | null
  /** A custom class that changes what the fields above say. */
  readonly custom?: CustomPlan
}

/** Names and values of a query, of headers or of a form; a single template must give them all. */
export type FieldsPlan = readonly FieldPlan[] | Template
export type FieldPlan = { readonly name: Template; readonly value: Template }

/** JSON whose strings, keys included, are templates. */
export type JsonPlan =
  | { readonly kind: 'template'; readonly template: Template }
  | { readonly kind: 'literal'; readonly value: unknown }
  | { readonly kind: 'list'; readonly items: readonly JsonPlan[] }
  | { readonly kind: 'object'; readonly members: readonly { readonly key: Template; readonly value: JsonPlan }[] }

export type BodyPlan =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly value: JsonPlan }
  | { readonly kind: 'form'; readonly fields: FieldsPlan }
  | { readonly kind: 'text'; readonly value: Template }
  /** A form where the template gives a mapping. */
  | { readonly kind: 'text-or-form'; readonly value: Template }

export function planRequester(input: PlanInput, requester: Component): RequesterPlan {
  // Airbyte: `url_base` wins over the newer `url` where a manifest has both.
  const baseField = requester.url_base === undefined ? 'url' : 'url_base'
  const custom = requester.type === 'CustomRequester' ? planCustom(input, requester) : undefined
  return {
    method: ((requester.http_method as string | undefined) ?? 'GET').toUpperCase(),
    base: planBase(input, requester, baseField),
    path: templateIn(input, requester, 'path'),
    query: planFields(input, requester, 'request_parameters'),
    headers: planFields(input, requester, 'request_headers'),
    body: planBody(input, requester),
    auth: planAuth(input, requester),
    errors: planErrors(input, requester),
    parameters: parametersOf(requester),
    reuses: requester.use_cache !== false,
    silenceMs: planSilence(input, requester),
    ...(custom && { custom }),
  }
}

/** Longer than any server computes, and short enough for a timer. */
const longestSilence = 86_400

function planSilence(input: PlanInput, requester: Component): number | null {
  const given = requester.read_timeout_in_seconds
  if (given === undefined || given === null) return null
  const seconds = Number(given)
  if (seconds > 0) return Math.min(seconds, longestSilence) * 1000
  const message = `\`read_timeout_in_seconds\` is ${seconds}; it must be more than 0.`
  throw new ConnectorError('manifest/invalid-value', message, {
    at: input.manifest.at(requester, 'read_timeout_in_seconds'),
  })
}

/** A custom requester may know its address by itself. */
function planBase(input: PlanInput, requester: Component, field: string): Template {
  if (requester.type !== 'CustomRequester') return requiredTemplateIn(input, requester, field)
  return templateIn(input, requester, field) ?? compileAt('', input.manifest.at(requester))
}

function planFields(input: PlanInput, holder: Fields, field: string): FieldsPlan | null {
  const fields = holder[field]
  if (fields === undefined || fields === null) return null
  if (typeof fields === 'string') return compileAt(fields, input.manifest.at(holder, field))
  // Properties to request are planned in query-properties.ts.
  const own = Object.entries(fields).filter(([, value]) => !isComponent(value, 'QueryProperties'))
  return own.map(([name, value]) => {
    const at = input.manifest.at(fields, name)
    return { name: compileAt(name, at), value: compileAt(value, at) }
  })
}

function planBody(input: PlanInput, requester: Component): BodyPlan {
  const body = componentIn(requester, 'request_body')
  if (body !== null) return planTypedBody(input, body)

  const json = requester.request_body_json
  if (isFilled(json) && isFilled(requester.request_body_data)) {
    const message = '`request_body_json` and `request_body_data` are both there; a request has one body.'
    throw new ConnectorError('request/two-bodies', message, { at: input.manifest.at(requester, 'request_body_data') })
  }
  if (isFilled(json)) return { kind: 'json', value: planJson(input, requester, 'request_body_json') }

  const form = requester.request_body_data
  if (typeof form === 'string')
    return { kind: 'text-or-form', value: compileAt(form, input.manifest.at(requester, 'request_body_data')) }
  const fields = planFields(input, requester, 'request_body_data')
  return fields === null ? { kind: 'none' } : { kind: 'form', fields }
}

function planTypedBody(input: PlanInput, body: Component): BodyPlan {
  switch (body.type) {
    case 'RequestBodyPlainText':
      return { kind: 'text', value: requiredTemplateIn(input, body, 'value') }
    case 'RequestBodyUrlEncodedForm':
      return { kind: 'form', fields: planFields(input, body, 'value') ?? [] }
    case 'RequestBodyJsonObject':
      return { kind: 'json', value: planJson(input, body, 'value') }
    case 'RequestBodyGraphQL':
      return { kind: 'json', value: withoutType(planJson(input, body, 'value')) }
    default:
      throw unsupported(input, body)
  }
}

function planJson(input: PlanInput, holder: Node, key: string | number): JsonPlan {
  const value = memberOfNode(holder, key)
  if (typeof value === 'string') {
    return { kind: 'template', template: compileAt(value, input.manifest.at(holder, key)) }
  }
  if (Array.isArray(value)) return { kind: 'list', items: value.map((_, index) => planJson(input, value, index)) }
  if (!isObject(value)) return { kind: 'literal', value }
  const members = Object.keys(value).map((name) => ({
    key: compileAt(name, input.manifest.at(value, name)),
    value: planJson(input, value, name),
  }))
  return { kind: 'object', members }
}

/** A GraphQL query is a component: its type is not part of the body. */
function withoutType(plan: JsonPlan): JsonPlan {
  if (plan.kind !== 'object') return plan
  return {
    kind: 'object',
    members: plan.members.filter(({ key }) => key.source !== 'type' && key.source !== '$parameters'),
  }
}
