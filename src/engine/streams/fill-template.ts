/** A stream template × the values of one stream → the template with each value in its place. */
import { ConnectorError } from '../../std/errors.ts'
import type { Component } from '../manifest/manifest.ts'
import { parseText } from '../manifest/parse.ts'
import type { DynamicPlan, MappingPlan } from '../plan/dynamic-plan.ts'
import type { Config } from '../plan/plan.ts'
import { fieldValue, setAt } from '../records/add-fields.ts'
import { allMatches, stepOf, withMatches } from '../records/match-path.ts'
import { pythonText } from '../template/text.ts'
import { truthy } from '../template/values/equality.ts'
import type { Scope, Value } from '../template/template.ts'

/** What the templates of a mapping see besides the config. */
export type Values = { readonly components_values: unknown; readonly stream_slice?: unknown }

/** The template itself stays as it is. Mappings see the template as written, never what another one put there. */
export function fillTemplate(plan: DynamicPlan, config: Config, values: Values): Component {
  const scope = { config, stream_template_config: plan.template, ...values }
  return plan.mappings.reduce((filled, mapping) => {
    const asked = { ...scope, parameters: plan.parameters }
    if (mapping.onlyIf !== null && mapping.onlyIf.evaluate(asked, 'boolean') !== true) return filled
    return put(filled, mapping, valueOf(plan, mapping, scope), { ...scope, parameters: mapping.parameters })
  }, plan.template)
}

function put(filled: Component, mapping: MappingPlan, value: unknown, scope: Scope): Component {
  const names = mapping.path.map((name) => name.evaluate(scope))
  const steps = names.map(stepOf)
  if (allMatches(filled, steps).length > 0) return withMatches(filled, steps, value)
  // Airbyte: an empty value makes no place of its own.
  if (!mapping.creates || !truthy(value as Value)) return filled
  return setAt(filled, names.map(pythonText), value, (reason) => noPlace(mapping, reason)) as Component
}

function valueOf({ values }: DynamicPlan, mapping: MappingPlan, scope: Scope): unknown {
  const value = fieldValue(mapping, { ...scope, parameters: mapping.parameters })
  if (typeof value !== 'string' || values.from === 'http') return value
  // Airbyte: entries of the manifest are read as YAML even where a text is asked for.
  return mapping.type === 'string' && values.from === 'config' ? value : yamlValue(value)
}

/** What the text means as YAML; a text that is none means itself. */
function yamlValue(text: string): unknown {
  if (text.trim() === '') return null
  try {
    return parseText(text).value
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error
    return text
  }
}

function noPlace({ at }: MappingPlan, reason: string): ConnectorError {
  return new ConnectorError('manifest/invalid-value', `The mapping has no place in the template: ${reason}.`, { at })
}
