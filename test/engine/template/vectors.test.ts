/**
 * Recorded evaluations of Airbyte's engine, replayed one by one.
 * TURNLEAF_VECTORS=<folder> replays the full set of that folder instead of the trimmed one in the repository.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { globals } from '../../../src/engine/template/globals.ts'
import { TemplateRun } from '../../../src/engine/template/template-run.ts'
import { compileTemplate, type EvaluateAs, type Scope, type Value } from '../../../src/engine/template/template.ts'
import { TimeDelta } from '../../../src/engine/template/dates/time-delta.ts'
import { repr } from '../../../src/engine/template/values/python-text.ts'
import { ConnectorError } from '../../../src/std/errors.ts'
import { float, parseJson } from '../../../src/std/json.ts'
import { type Json, scopeOf } from './scopes.ts'

type Vector = {
  src: string
  kind: string
  template: unknown
  context?: Json
  result?: unknown
  repr?: string
  error?: { class: string }
  opaque?: boolean
  valid_types?: readonly string[]
  valid_value_types?: readonly string[]
  default?: string
  args?: readonly Value[]
}

type Outcome = { value: unknown } | { error: unknown }

/** Where we mean to differ: the one list of it. Each rule recognises its cases by what was recorded and what we did. */
const deliberate: readonly { rule: string; reason: string; holds(vector: Vector, code: string | null): boolean }[] = [
  {
    rule: 'a TypeError is an error',
    reason: 'Airbyte sends the raw template text, or takes it for true; we say what was wrong.',
    holds: ({ kind, template, result, repr: text }, code) =>
      code === 'template/wrong-type' &&
      (result === template ||
        (kind === 'boolean' && result === true) ||
        (text ?? repr(result as Value)).includes('{{')),
  },
  {
    rule: 'include, import and extends are syntax errors',
    reason: 'Airbyte has no loader for them either, and sends the raw template text.',
    holds: ({ template }, code) =>
      code === 'template/syntax' && /\{% (?:include|import|extends) /.test(String(template)),
  },
  {
    rule: 'patterns have no look-ahead',
    reason: 'Patterns run in linear time on RE2, so that none can hang a sync.',
    holds: ({ context }, code) =>
      code === 'template/failed' && /\(\?<?[=!]/.test(String((context?.['config'] as Json | undefined)?.['r'])),
  },
]

const folder = process.env['TURNLEAF_VECTORS'] ?? 'test/vectors'
const { vectors } = parseJson(readFileSync(join(folder, 'interpolation.json'), 'utf8')).value as { vectors: Vector[] }

test(`every recorded evaluation of ${folder} gives the recorded value`, () => {
  const strays: string[] = []
  const differences = new Map<string, number>()
  for (const vector of vectors) {
    if (vector.opaque === true) continue
    const outcome = outcomeOf(vector)
    if (agrees(vector, outcome)) continue
    const code = 'error' in outcome && outcome.error instanceof ConnectorError ? outcome.error.code : null
    const rule = deliberate.find((difference) => difference.holds(vector, code))
    if (rule !== undefined) differences.set(rule.rule, (differences.get(rule.rule) ?? 0) + 1)
    else strays.push(explain(vector, outcome))
  }
  assert.deepEqual(strays, [])
  // A rule that nothing needs any more should go.
  assert.equal(differences.size, deliberate.length)
})

function outcomeOf(vector: Vector): Outcome {
  try {
    return { value: evaluate(vector) }
  } catch (error) {
    return { error }
  }
}

function evaluate(vector: Vector): unknown {
  const scope = scopeOf(vector.context)
  switch (vector.kind) {
    case 'macro':
      return callMacro(vector, scope)
    case 'mapping': {
      const as = vector.valid_value_types === undefined ? 'header' : 'param'
      return mapEntries(
        vector.template as Json,
        (text) => one(text, scope, 'str_typed'),
        (value) => one(value, scope, as),
      )
    }
    case 'nested_mapping':
      return nested(vector.template, scope)
    case 'jinja':
      // The bare evaluator has no default unless the test gives one.
      return (
        one(vector.template, scope, 'json') ??
        (vector.default === undefined ? null : one(vector.default, scope, 'string'))
      )
    default:
      return one(vector.template, scope, vector.valid_types === undefined ? (vector.kind as EvaluateAs) : 'str_typed')
  }
}

function one(template: unknown, scope: Scope, as: EvaluateAs): unknown {
  return typeof template === 'string' ? compileTemplate(template).evaluate(scope, as) : template
}

function mapEntries(mapping: Json, key: (text: string) => unknown, value: (value: unknown) => unknown): Json {
  return Object.fromEntries(Object.entries(mapping).map(([name, member]) => [String(key(name)), value(member) ?? null]))
}

function nested(value: unknown, scope: Scope): unknown {
  if (Array.isArray(value)) return value.map((item) => nested(item, scope) ?? null)
  if (typeof value !== 'object' || value === null) return one(value, scope, 'json')
  const entries = Object.entries(value).map(([key, member]) => [String(one(key, scope, 'json')), nested(member, scope)])
  return Object.fromEntries(entries.filter(([, member]) => member !== null && member !== undefined))
}

function callMacro({ template, args }: Vector, scope: Scope): unknown {
  const macro = globals.get(String(template))
  const result = macro?.call({ positional: args ?? [], named: null }, new TemplateRun(scope, null))
  return result instanceof TimeDelta ? { __timedelta_seconds__: float(result.totalSeconds) } : result
}

function agrees(vector: Vector, outcome: Outcome): boolean {
  if ('error' in outcome)
    return vector.error !== undefined && (outcome.error instanceof ConnectorError || vector.kind === 'macro')
  if (vector.error !== undefined) return false
  const value = outcome.value === undefined ? null : outcome.value
  return repr(value as Value) === (vector.repr ?? repr(vector.result as Value))
}

function explain(vector: Vector, outcome: Outcome): string {
  const wanted = vector.error?.class ?? vector.repr ?? repr(vector.result as Value)
  const got = 'error' in outcome ? String(outcome.error) : repr(outcome.value as Value)
  return `${vector.kind} ${JSON.stringify(vector.template)} in ${JSON.stringify(vector.context, bigints)}: wanted ${wanted}, got ${got}`
}

function bigints(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
}
