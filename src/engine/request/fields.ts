/** Templates of a query, of headers, of a form or of a JSON body × scope → their values. */
import { isPlainObject } from '../../std/values/objects.ts'
import { ConnectorError, type SourceLocation } from '../../std/errors.ts'
import type { BodyPlan, FieldsPlan, JsonPlan } from '../plan/requester.ts'
import type { Scope, Template } from '../template/template.ts'
import { describeValue, pythonText } from '../template/text.ts'
import type { JsonObject } from './merge.ts'

export type NamedValue = { readonly name: string; readonly value: unknown }

/** Airbyte: parameters and form fields keep numbers as text; headers go through full literal evaluation. */
type FieldsAs = 'param' | 'header'

/** Fields whose value came out empty are left out. */
export function evaluateFields(plan: FieldsPlan | null, scope: Scope, as: FieldsAs): NamedValue[] {
  if (plan === null) return []
  if ('evaluate' in plan) return wholeMapping(plan, scope, as)
  return plan.flatMap(({ name, value }) => {
    const evaluated = value.evaluate(scope, as)
    return evaluated === undefined || evaluated === null
      ? []
      : [{ name: pythonText(name.evaluate(scope)), value: evaluated }]
  })
}

/** Airbyte: parameters that come out as something else than a mapping are none; headers are an error. */
function wholeMapping(template: Template, scope: Scope, as: FieldsAs): NamedValue[] {
  const value = template.evaluate(scope)
  if (isMapping(value)) {
    return membersOf(value).flatMap(([name, member]) => (member === null ? [] : [{ name, value: member }]))
  }
  if (as === 'param' || value === '') return []
  throw new ConnectorError(
    'request/invalid-header',
    `The headers \`${template.source}\` give ${describeValue(value)}, not a mapping.`,
  )
}

/** What a body is, once its templates have values. */
export type SettledBody = Exclude<BodyPlan, { readonly kind: 'text-or-form' }>

export function settleBody(body: BodyPlan, scope: Scope): SettledBody {
  if (body.kind !== 'text-or-form') return body
  const { value } = body
  return isMapping(value.evaluate(scope)) ? { kind: 'form', fields: value } : { kind: 'text', value }
}

/** The text as it was written: one that looks like a number or a list is not read as one. */
export function evaluateBodyText(template: Template, scope: Scope): string {
  const value = template.evaluate(scope)
  if (typeof value === 'string') return value
  return value === null ? '' : pythonText(template.evaluate(scope, 'str_typed'))
}

export function evaluateJson(plan: JsonPlan, scope: Scope, at: SourceLocation): JsonObject {
  const value = evaluateNode(plan, scope)
  if (value === undefined || value === '') return {}
  if (isMapping(value)) return Object.fromEntries(membersOf(value))
  throw new ConnectorError('request/invalid-body', `The JSON body gives ${describeValue(value)}, not an object.`, {
    at,
  })
}

/** Airbyte: empty members of an object vanish, empty items of a list become null. */
function evaluateNode(plan: JsonPlan, scope: Scope): unknown {
  switch (plan.kind) {
    case 'literal':
      return plan.value ?? undefined
    case 'template':
      return plan.template.evaluate(scope, 'json') ?? undefined
    case 'list':
      return plan.items.map((item) => evaluateNode(item, scope) ?? null)
    case 'object': {
      const members = plan.members.map(({ key, value }) => [
        pythonText(key.evaluate(scope)),
        evaluateNode(value, scope),
      ])
      return Object.fromEntries(members.filter(([, value]) => value !== undefined))
    }
  }
}

type Mapping = ReadonlyMap<unknown, unknown> | Readonly<Record<string, unknown>>

export function isMapping(value: unknown): value is Mapping {
  return value instanceof Map || isPlainObject(value)
}

function membersOf(value: Mapping): [string, unknown][] {
  if (value instanceof Map) return [...value].map(([name, member]) => [pythonText(name), member])
  return Object.entries(value)
}
