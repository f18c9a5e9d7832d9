/** Manifest + config → its streams: written out, conditional, or made from a template and its values. */
import { ConnectorError, type Problem } from '../../std/errors.ts'
import { isObject } from '../../std/values/objects.ts'
import { isComponent } from '../manifest/components.ts'
import type { Component, Manifest } from '../manifest/manifest.ts'
import { parseText } from '../manifest/parse.ts'
import { type ComponentMappingPlan, type ConfigListPlan, type DynamicPlan, planDynamic } from '../plan/dynamic.ts'
import type { Config, JsonRecord } from '../plan/plan.ts'
import { compileAt, type PlanInput } from '../plan/read-fields.ts'
import { fieldValue, setAt } from '../records/add-fields.ts'
import { allMatches, stepOf, withMatches } from '../records/match-path.ts'
import { type Slice, sliceForTemplates } from '../slices/slice.ts'
import type { Scope, Value } from '../template/template.ts'
import { pythonText } from '../template/text.ts'
import { Tuple } from '../template/values/containers.ts'
import { truthy } from '../template/values/equality.ts'

export type ResolvedStream = {
  readonly name: string
  /** A DeclarativeStream or a StateDelegatingStream. */
  readonly stream: Component
  /** The name of the dynamic stream that made it; null for one that was written out. */
  readonly dynamic: string | null
}

export type ReadAll = (stream: Component) => AsyncIterable<{ readonly record: JsonRecord; readonly slice: Slice }>

/** Those that need no request: what is made from the records of an API is not among them. */
export function writtenStreams(input: PlanInput): ResolvedStream[] {
  return input.manifest.streams.flatMap((member): ResolvedStream[] => {
    const streams = isComponent(member, 'ConditionalStreams') ? conditional(input, member) : [member]
    return streams.flatMap((stream) =>
      typeof stream.name === 'string' ? [{ name: stream.name, stream, dynamic: null }] : [],
    )
  })
}

function conditional({ manifest, config }: PlanInput, group: Component): readonly Component[] {
  const condition = compileAt(group.condition, manifest.at(group, 'condition'))
  // Airbyte: the condition sees the config only, whatever `$parameters` there are.
  const holds = condition.evaluate({ config, parameters: {} }, 'boolean') === true
  return holds ? (group.streams as readonly Component[]) : []
}

/** Throws when two streams come out with one name: the records of one would pass for those of the other. */
export async function resolveStreams(input: PlanInput, readAll: ReadAll): Promise<readonly ResolvedStream[]> {
  const resolved = new Map<string, ResolvedStream>()
  const add = (one: ResolvedStream) => {
    if (resolved.has(one.name)) throw duplicate(input.manifest, one)
    resolved.set(one.name, one)
  }
  for (const one of writtenStreams(input)) add(one)
  for (const [index, dynamic] of dynamicStreamsOf(input.manifest).entries()) {
    for await (const one of generatedBy(input, planDynamic(input, dynamic, index), readAll)) add(one)
  }
  return [...resolved.values()]
}

export function dynamicStreamsOf(manifest: Manifest): readonly Component[] {
  return (manifest.root.dynamic_streams as readonly Component[] | undefined) ?? []
}

async function* generatedBy(input: PlanInput, plan: DynamicPlan, readAll: ReadAll): AsyncGenerator<ResolvedStream> {
  for await (const values of valuesOf(plan, input, readAll)) {
    const filled = fillTemplate(plan, input.config, values)
    const { stream, problems } = input.manifest.generate(filled, plan.template, plan.precedence)
    if (stream === null) throw notAStream(plan, problems)
    if (typeof stream.name !== 'string' || stream.name === '') throw unnamed(plan)
    yield { name: stream.name, stream, dynamic: plan.name }
  }
}

async function* valuesOf({ values }: DynamicPlan, { config }: PlanInput, readAll: ReadAll): AsyncGenerator<Values> {
  switch (values.from) {
    case 'manifest':
      for (const entry of values.entries) yield { components_values: entry }
      return
    case 'config':
      for (const entry of configValues(values.lists, config)) yield { components_values: entry }
      return
    case 'http':
      for await (const { record, slice } of readAll(values.stream)) {
        yield { components_values: record, stream_slice: sliceForTemplates(slice) }
      }
  }
}

function duplicate(manifest: Manifest, { name, stream, dynamic }: ResolvedStream): ConnectorError {
  const made = dynamic === null ? '' : ` One of them is made by "${dynamic}".`
  return new ConnectorError('manifest/duplicate-stream', `Two streams are named \`${name}\`.${made}`, {
    at: manifest.at(stream),
    ...(dynamic !== null && {
      hint: 'Let the values in the config, or those of the API, give each stream its own name.',
    }),
  })
}

function notAStream({ name, at }: DynamicPlan, problems: readonly Problem[]): ConnectorError {
  const errors = problems.filter(({ severity }) => severity === 'error')
  const [first] = errors
  const { code = 'manifest/invalid-value', message = 'it is not a stream', hint } = first ?? {}
  const details = { at: first?.at ?? at, hint, problems: errors }
  return new ConnectorError(code, `A stream made by "${name}" does not fit: ${message}`, details)
}

function unnamed({ name, at }: DynamicPlan): ConnectorError {
  return new ConnectorError('manifest/missing-field', `A stream made by "${name}" has no name.`, {
    at,
    hint: 'Map a value to `name`.',
  })
}

type Choice = { readonly index: number; readonly member: unknown }

/** Far beyond any config that a person fills in, far below what would exhaust the memory. */
const maxCombinations = 100_000

/** The first list varies slowest. */
function configValues(lists: readonly ConfigListPlan[], config: Config): Readonly<Record<string, unknown>>[] {
  let combinations: Choice[][] = [[]]
  for (const list of lists) {
    const choices = membersOf(list, config).map((member, index) => ({ index, member }))
    if (combinations.length * choices.length > maxCombinations) {
      const message = `The lists of the config make more than ${maxCombinations} streams.`
      throw new ConnectorError('plan/invalid-config', message, { at: list.at })
    }
    combinations = combinations.flatMap((made) => choices.map((choice) => [...made, choice]))
  }
  return combinations.map(joined)
}

/** A value that is no list counts as a list of itself; nothing there is no member. */
function membersOf({ path, extra, parameters, at }: ConfigListPlan, config: Config): unknown[] {
  const steps = path.map((name) => stepOf(name.evaluate({ config, parameters })))
  const found = steps.length === 0 ? [config] : allMatches(config, steps)
  if (found.length > 1) {
    const message = '`configs_pointer` leads to more than one place in the config.'
    throw new ConnectorError('plan/invalid-config', message, { at })
  }
  const [held] = found
  const members: unknown[] = found.length === 0 ? [] : Array.isArray(held) ? held : [held]
  return [...members, ...extra]
}

/** Objects become one, the later list winning; Airbyte: anything else goes under the number of its list, with its index. */
function joined(combination: readonly Choice[]): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {}
  for (const [list, { index, member }] of combination.entries()) {
    if (isObject(member)) Object.assign(values, member)
    else values[`source_config_${list}`] ??= new Tuple([index, member as Value])
  }
  return values
}

/** What the templates of a mapping see in addition to the config. */
export type Values = { readonly components_values: unknown; readonly stream_slice?: unknown }

/** The template itself stays as it is. Mappings see the template as written, never what another one put there. */
function fillTemplate(plan: DynamicPlan, config: Config, values: Values): Component {
  const scope = { config, stream_template_config: plan.template, ...values }
  return plan.mappings.reduce((filled, mapping) => {
    const conditionScope = { ...scope, parameters: plan.parameters }
    if (mapping.onlyIf !== null && mapping.onlyIf.evaluate(conditionScope, 'boolean') !== true) return filled
    return put(filled, mapping, valueOf(plan, mapping, scope), { ...scope, parameters: mapping.parameters })
  }, plan.template)
}

function put(filled: Component, mapping: ComponentMappingPlan, value: unknown, scope: Scope): Component {
  const names = mapping.path.map((name) => name.evaluate(scope))
  const steps = names.map(stepOf)
  if (allMatches(filled, steps).length > 0) return withMatches(filled, steps, value)
  // Airbyte: an empty value creates no new member.
  if (!mapping.creates || !truthy(value as Value)) return filled
  return setAt(filled, names.map(pythonText), value, (reason) => noPlace(mapping, reason)) as Component
}

function valueOf({ values }: DynamicPlan, mapping: ComponentMappingPlan, scope: Scope): unknown {
  const value = fieldValue(mapping, { ...scope, parameters: mapping.parameters })
  if (typeof value !== 'string' || values.from === 'http') return value
  // Airbyte: entries of the manifest are read as YAML even where a string is expected.
  return mapping.type === 'string' && values.from === 'config' ? value : yamlValue(value)
}

/** The string read as YAML; a string that is no YAML stays as it is. */
function yamlValue(text: string): unknown {
  if (text.trim() === '') return null
  try {
    return parseText(text).value
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error
    return text
  }
}

function noPlace({ at }: ComponentMappingPlan, reason: string): ConnectorError {
  return new ConnectorError('manifest/invalid-value', `The mapping has no place in the template: ${reason}.`, { at })
}
