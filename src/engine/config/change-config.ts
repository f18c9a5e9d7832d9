/** One rule of the spec × a config → the config with that change made; the given config stays as it was. */
import { ConnectorError } from '../../std/errors.ts'
import { parseJson, stringifyJson } from '../../std/json.ts'
import { isObject } from '../../std/values/objects.ts'
import { awaitCustom, CustomComponent, type CustomPlan, type CustomTools, instantiate } from '../custom/component.ts'
import { objectOf } from '../custom/check-returned.ts'
import type { ConfigChangePlan, RemappedValue } from '../plan/config-rules.ts'
import type { Config } from '../plan/plan.ts'
import type { AddedFieldPlan } from '../plan/transformations.ts'
import { fieldValue, setAt } from '../records/add-fields.ts'
import { stepOf, withoutMatches } from '../records/match-path.ts'
import { plainValue } from '../template/plain-value.ts'
import { isTemplate, type Scope, type Template } from '../template/template.ts'
import { pythonText } from '../template/text.ts'

/**
 * Extend this in `source_<name>/<package>.ts` next to the manifest. The config given is a copy: change it, or give back
 * another one.
 *
 * ```ts
 * export class SplitDomain extends ConfigTransformation {
 *   transform(config: Record<string, unknown>) {
 *     config.domain = String(config.url).split('/')[2]
 *   }
 * }
 * ```
 */
export abstract class ConfigTransformation extends CustomComponent {
  abstract transform(config: Record<string, unknown>): Config | void | Promise<Config | void>
}

/** Each change sees what those before it made. */
export async function changeConfig(
  changes: readonly ConfigChangePlan[],
  config: Config,
  tools: CustomTools,
): Promise<Config> {
  let changed = config
  for (const change of changes) changed = await made(change, changed, tools)
  return changed
}

function made(change: ConfigChangePlan, config: Config, tools: CustomTools): Config | Promise<Config> {
  switch (change.kind) {
    case 'add':
      return withFields(change.fields, change.onlyIf, config)
    case 'remap':
      return remapped(change.path, change.values, config)
    case 'remove':
      return withoutFields(change.paths, change.onlyIf, config)
    case 'custom':
      return transformed(change.custom, config, tools)
  }
}

/** Airbyte: the condition is evaluated for each field, with the value and the path it would get. */
function withFields(fields: readonly AddedFieldPlan[], onlyIf: Template | null, config: Config): Config {
  return fields.reduce((grown, field) => {
    const value = fieldValue(field, { config: grown, parameters: field.parameters })
    const scope = { config: grown, parameters: {}, value, path: field.path }
    if (!holds(onlyIf, scope)) return grown
    return setAt(grown, field.path, value, (reason) => noPlace(field, reason)) as Config
  }, config)
}

/** A value that the map does not have stays; so does a field that is not there. */
function remapped(path: readonly Template[], values: readonly RemappedValue[], config: Config): Config {
  const scope = { config, parameters: {} }
  const names = path.map((name) => pythonText(name.evaluate(scope)))
  const replace = (held: unknown, depth: number): unknown => {
    const name = names[depth]
    if (name === undefined) return replacementOf(held, values, scope)
    if (!isObject(held) || !Object.hasOwn(held, name)) return held
    return { ...held, [name]: replace(held[name], depth + 1) }
  }
  return replace(config, 0) as Config
}

function replacementOf(held: unknown, values: readonly RemappedValue[], scope: Scope): unknown {
  // Airbyte: the old values are strings, as the keys of an object are.
  const found = typeof held === 'string' ? values.find(({ old }) => old.render(scope) === held) : undefined
  if (found === undefined) return held
  return isTemplate(found.new) ? plainValue(found.new.evaluate(scope) ?? null) : found.new
}

function withoutFields(paths: ConfigPaths, onlyIf: Template | null, config: Config): Config {
  if (!holds(onlyIf, { config, parameters: {} })) return config
  return paths.reduce((left, path) => withoutMatches(left, path.map(stepOf)), config)
}

/** Not with null, unlike elsewhere: `not config.get('new') and config.get('old')` must not write or delete what the user never gave. */
function holds(onlyIf: Template | null, scope: Scope): boolean {
  return onlyIf === null || (onlyIf.evaluate(scope, 'boolean') === true && onlyIf.evaluate(scope) !== null)
}

type ConfigPaths = readonly (readonly string[])[]

async function transformed(custom: CustomPlan, config: Config, tools: CustomTools): Promise<Config> {
  const transformation = await instantiate(custom, ConfigTransformation, { ...tools, config })
  const copy = parseJson(stringifyJson(config)).value as Record<string, unknown>
  return awaitCustom(custom, async () => {
    const given: unknown = await transformation.transform(copy)
    return given === undefined || given === null ? copy : objectOf(given, 'a config')
  })
}

function noPlace(field: AddedFieldPlan, reason: string): ConnectorError {
  const message = `ConfigAddFields cannot put a value at \`${field.path.join('.')}\`: ${reason}.`
  return new ConnectorError('plan/invalid-config', message, { at: field.at })
}
