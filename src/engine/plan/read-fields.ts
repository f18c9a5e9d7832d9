/** Fields of a checked component → the templates, names and placements that a plan is made of. */
import { ConnectorError, type SourceLocation } from '../../std/errors.ts'
import type { CustomPlan } from '../custom/component.ts'
import { customRoleOf } from '../manifest/custom-types.ts'
import type { Component, Manifest } from '../manifest/manifest.ts'
import { type Duration, parseDuration } from '../template/dates/duration.ts'
import { TimeDelta } from '../template/dates/time-delta.ts'
import { compileTemplate, type Template } from '../template/template.ts'
import { pythonText } from '../template/text.ts'
import type { Config, Parameters, Placement } from './plan.ts'

/** What every planning function gets in addition to its component. */
export type PlanInput = {
  readonly manifest: Manifest
  readonly config: Config
  /** Which of a parent's streams is meant, where that depends on a state. */
  readonly chooseParent?: (parent: Component) => Component
}

export type Fields = { readonly [field: string]: unknown }

export function parametersOf(component: Fields): Parameters {
  return (component.$parameters as Parameters | undefined) ?? {}
}

/** The component in this field, or null when the author left it out. */
export function componentIn(component: Fields, field: string): Component | null {
  return (component[field] as Component | undefined) ?? null
}

/** The component in a field that the check made sure of. */
export function requiredComponentIn(input: PlanInput, component: Fields, field: string): Component {
  return componentIn(component, field) ?? missing(input, component, field)
}

/** The components in this field, which holds one or a list of them. */
export function componentsIn(component: Fields, field: string): readonly Component[] {
  const held = component[field] as Component | readonly Component[] | null | undefined
  return [held ?? []].flat()
}

/** The template in this field, or null when the author left it out. */
export function templateIn(input: PlanInput, component: Fields, field: string): Template | null {
  const value = component[field]
  return value === undefined || value === null ? null : compileAt(value, input.manifest.at(component, field))
}

export function requiredTemplateIn(input: PlanInput, component: Fields, field: string): Template {
  return templateIn(input, component, field) ?? missing(input, component, field)
}

function missing(input: PlanInput, component: Fields, field: string): never {
  const at = input.manifest.at(component)
  throw new ConnectorError('manifest/missing-field', `${String(component.type)} has no \`${field}\`.`, { at })
}

/** A custom class, by the type of the component that names it. */
export function planCustom(input: PlanInput, component: Component): CustomPlan {
  const { type, class_name, ...fields } = component
  const { role = 'class' } = customRoleOf(type) ?? {}
  return { role, className: String(class_name), fields, at: input.manifest.at(component) }
}

/** For the planner's `default:` cases. A whole stream is refused before, with every such component named. */
export function unsupported(input: PlanInput, component: Component): ConnectorError {
  const at = input.manifest.at(component)
  return new ConnectorError('manifest/unsupported-component', `${component.type} cannot run yet.`, { at })
}

/** Strings are templates; numbers and booleans become text as Python writes them. */
export function compileAt(value: unknown, at: SourceLocation): Template {
  return compileTemplate(typeof value === 'string' ? value : pythonText(value), at)
}

/** A name that only the config can change, decided while planning. */
export function textIn(input: PlanInput, component: Fields, field: string): string | null {
  const template = templateIn(input, component, field)
  return template === null ? null : evaluatedText(input, template, parametersOf(component))
}

export function evaluatedText(input: PlanInput, template: Template, parameters: Parameters): string {
  return pythonText(template.evaluate({ config: input.config, parameters }))
}

/** A number that only the config can change, decided while planning. */
export function numberIn(input: PlanInput, component: Fields, field: string): number | null {
  const text = textIn(input, component, field)?.trim()
  if (text === undefined) return null
  const number = text === '' ? Number.NaN : Number(text)
  if (Number.isFinite(number)) return number
  const found = text === '' ? 'nothing' : `\`${text.slice(0, 40)}\``
  const message = `\`${field}\` of ${String(component.type)} gives ${found}, not a number.`
  throw new ConnectorError('plan/invalid-number', message, { at: input.manifest.at(component, field) })
}

const placements = {
  request_parameter: 'query',
  header: 'header',
  body_data: 'form',
} as const

/** `RequestOption` or `RequestPath` → where the value goes. */
export function placementIn(input: PlanInput, component: Fields, field: string): Placement | null {
  const option = componentIn(component, field)
  if (option === null) return null
  if (option.type === 'RequestPath') return { into: 'path' }

  // Airbyte: an option sees the parameters of the component that holds it as well as those of the option.
  const parameters = { ...parametersOf(component), ...parametersOf(option) }
  const evaluate = (name: unknown, key: string) =>
    evaluatedText(input, compileAt(name, input.manifest.at(option, key)), parameters)
  const path = option.field_path as readonly unknown[] | undefined
  if (option.inject_into === 'body_json') {
    return { into: 'json', path: (path ?? [option.field_name]).map((name) => evaluate(name, 'field_path')) }
  }
  return {
    into: placements[option.inject_into as keyof typeof placements],
    name: evaluate(option.field_name, 'field_name'),
  }
}

/** @example durationOf('P90D', plan.at) */
export function durationOf(text: string, at: SourceLocation): TimeDelta | Duration {
  const refuse = (why: string, cause?: unknown) =>
    new ConnectorError('plan/invalid-duration', `\`${text.slice(0, 60)}\` ${why}.`, { at, cause })
  let span: TimeDelta | Duration
  try {
    span = parseDuration(text)
  } catch (cause) {
    throw refuse('is not a duration', cause)
  }
  if (span instanceof TimeDelta || (Number.isInteger(span.years) && Number.isInteger(span.months))) return span
  throw refuse('has a fraction of a month or a year, which has no fixed length')
}
