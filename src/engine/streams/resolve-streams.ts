/** Manifest + config → the streams it has: those written out, those whose condition holds, those made from templates. */
import { ConnectorError, type Problem } from '../../std/errors.ts'
import { isComponent } from '../manifest/components.ts'
import type { Component, Manifest } from '../manifest/manifest.ts'
import { planDynamic, type DynamicPlan } from '../plan/dynamic.ts'
import { compileAt, type PlanInput } from '../plan/read-fields.ts'
import type { JsonRecord } from '../plan/plan.ts'
import { type Slice, sliceForTemplates } from '../slices/slice.ts'
import { configValues } from './config-values.ts'
import { fillTemplate, type Values } from './fill-template.ts'

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
    if (typeof stream.name !== 'string') throw unnamed(plan)
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
  const { code = 'manifest/invalid-value', message = 'it is no stream', hint } = first ?? {}
  const details = { at: first?.at ?? at, hint, problems: errors }
  return new ConnectorError(code, `A stream made by "${name}" does not fit: ${message}`, details)
}

function unnamed({ name, at }: DynamicPlan): ConnectorError {
  return new ConnectorError('manifest/missing-field', `A stream made by "${name}" has no name.`, {
    at,
    hint: 'Map a value to `name`.',
  })
}
