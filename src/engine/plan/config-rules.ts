/** `spec.config_normalization_rules` → how a config is changed and checked before it is used. */
import { ConnectorError, type SourceLocation } from '../../std/errors.ts'
import type { CustomPlan } from '../custom/component.ts'
import type { Component, Manifest } from '../manifest/manifest.ts'
import type { Template } from '../template/template.ts'
import type { JsonSchema } from './plan.ts'
import { type AddedFieldPlan, conditionIn, planField } from './transformations.ts'
import {
  compileAt,
  componentsIn,
  type Fields,
  planCustom,
  type PlanInput,
  requiredComponentIn,
  templateIn,
  unsupported,
} from './read-fields.ts'

export type ConfigRulesPlan = {
  /** Their result replaces the stored config. */
  readonly migrations: readonly ConfigChangePlan[]
  /** Applied on each run, and never stored. */
  readonly transformations: readonly ConfigChangePlan[]
  readonly validations: readonly ValidationPlan[]
}

export type ConfigChangePlan =
  | { readonly kind: 'add'; readonly fields: readonly AddedFieldPlan[]; readonly onlyIf: Template | null }
  | { readonly kind: 'remap'; readonly path: readonly Template[]; readonly values: readonly RemappedValue[] }
  | {
      readonly kind: 'remove'
      readonly paths: readonly (readonly string[])[]
      readonly onlyIf: Template | null
    }
  | { readonly kind: 'custom'; readonly custom: CustomPlan }

/** A string is a template; anything else is used as it is. */
export type RemappedValue = { readonly old: Template; readonly new: unknown }

export type ValidationPlan = {
  /** Where in the config the values are, or the value itself. */
  readonly of: { readonly path: readonly Template[] } | { readonly value: unknown }
  readonly strategy: ValidationStrategyPlan
  readonly at: SourceLocation
}

export type ValidationStrategyPlan =
  | { readonly kind: 'schema'; readonly schema: JsonSchema | Template }
  | { readonly kind: 'custom'; readonly custom: CustomPlan }

export function planConfigRules(manifest: Manifest): ConfigRulesPlan {
  const input = { manifest, config: {} }
  const rules = (manifest.spec?.config_normalization_rules ?? {}) as Fields
  const change = (component: Component) => planChange(input, component)
  return {
    migrations: componentsIn(rules, 'config_migrations')
      .flatMap((migration) => componentsIn(migration, 'transformations'))
      .map(change),
    transformations: componentsIn(rules, 'transformations').map(change),
    validations: componentsIn(rules, 'validations').map((validator) => planValidation(input, validator)),
  }
}

function planChange(input: PlanInput, component: Component): ConfigChangePlan {
  switch (component.type) {
    case 'ConfigAddFields': {
      const fields = componentsIn(component, 'fields').map((field) => planField(input, field))
      return { kind: 'add', fields, onlyIf: conditionIn(input, component) }
    }
    case 'ConfigRemapField':
      return { kind: 'remap', path: pathIn(input, component), values: remappedIn(input, component) }
    case 'ConfigRemoveFields': {
      const paths = component.field_pointers as readonly (readonly string[])[]
      return { kind: 'remove', paths, onlyIf: conditionIn(input, component) }
    }
    case 'CustomConfigTransformation':
      return { kind: 'custom', custom: planCustom(input, component) }
    default:
      throw unsupported(input, component)
  }
}

function remappedIn({ manifest }: PlanInput, component: Component): RemappedValue[] {
  const values = component.map as Readonly<Record<string, unknown>> | string
  if (typeof values === 'string') {
    const message = '`map` of ConfigRemapField is a string; it must be an object.'
    throw new ConnectorError('manifest/wrong-type', message, { at: manifest.at(component, 'map') })
  }
  return Object.entries(values).map(([old, value]) => {
    const at = manifest.at(values, old)
    return { old: compileAt(old, at), new: typeof value === 'string' ? compileAt(value, at) : value }
  })
}

function planValidation(input: PlanInput, validator: Component): ValidationPlan {
  const strategy = requiredComponentIn(input, validator, 'validation_strategy')
  const { value } = validator
  const held = typeof value === 'string' ? templateIn(input, validator, 'value') : value
  return {
    of: validator.type === 'PredicateValidator' ? { value: held } : { path: pathIn(input, validator) },
    strategy: planStrategy(input, strategy),
    at: input.manifest.at(validator),
  }
}

function planStrategy(input: PlanInput, strategy: Component): ValidationStrategyPlan {
  if (strategy.type === 'CustomValidationStrategy') return { kind: 'custom', custom: planCustom(input, strategy) }
  if (strategy.type !== 'ValidateAdheresToSchema') throw unsupported(input, strategy)
  const { base_schema: schema } = strategy
  return {
    kind: 'schema',
    schema:
      typeof schema === 'string'
        ? compileAt(schema, input.manifest.at(strategy, 'base_schema'))
        : (schema as JsonSchema),
  }
}

function pathIn({ manifest }: PlanInput, component: Component): Template[] {
  const names = component.field_path as readonly unknown[]
  return names.map((name, index) => compileAt(name, manifest.at(names, index)))
}
