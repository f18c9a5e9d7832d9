/** The validations of the spec × a config → nothing, or which value is wrong and where. */
import { ConnectorError, hasCode } from '../../std/errors.ts'
import { parseJson } from '../../std/json.ts'
import { CustomComponent, type CustomPlan, type CustomTools, instantiate, runCustom } from '../custom/component.ts'
import { describeKind } from '../custom/check-returned.ts'
import type { ValidationPlan, ValidationStrategyPlan } from '../plan/config-rules.ts'
import { schemaFaults } from '../plan/config.ts'
import type { Config, JsonSchema } from '../plan/plan.ts'
import { allMatches, stepOf } from '../records/match-path.ts'
import { plainValue } from '../template/plain-value.ts'
import { isTemplate, type Template } from '../template/template.ts'
import { pythonText } from '../template/text.ts'
import { messageOf } from '../../std/text/message-of.ts'

/**
 * Extend this in `source_<name>/<package>.ts` next to the manifest. Throw an error whose message says what is wrong
 * with the value; it is shown to the user who filled in the config.
 *
 * ```ts
 * export class HttpsOnly extends ValidationStrategy {
 *   validate(value: unknown) {
 *     if (!String(value).startsWith('https://')) throw new Error('Use an https address.')
 *   }
 * }
 * ```
 */
export abstract class ValidationStrategy extends CustomComponent {
  abstract validate(value: unknown): void | Promise<void>
}

/**
 * In the order of the manifest; the first value that does not pass ends it. No message shows a value. A missing
 * class is reported and skipped: it must not keep every stream from being read.
 */
export async function validateValues(
  validations: readonly ValidationPlan[],
  config: Config,
  tools: CustomTools,
): Promise<string[]> {
  const passedOver: string[] = []
  for (const validation of validations) {
    const faultOf = await openStrategy(validation.strategy, config, tools)
    if (faultOf instanceof ConnectorError) {
      passedOver.push(`A check of the config is skipped. ${faultOf.message}`)
      continue
    }
    const { place, values } = valuesOf(validation, config)
    for (const value of values) {
      const reason = await faultOf(value)
      if (reason === null) continue
      const message = `The config is not valid: ${place} ${reason}`
      throw new ConnectorError('plan/invalid-config', message, { at: validation.at })
    }
  }
  return passedOver
}

/** What is wrong with a value, as the rest of a sentence; null when it passes. */
type FaultOf = (value: unknown) => string | null | Promise<string | null>

/** The check itself, or why there is none: its class is not in the connector's folder. */
async function openStrategy(
  strategy: ValidationStrategyPlan,
  config: Config,
  tools: CustomTools,
): Promise<FaultOf | ConnectorError> {
  if (strategy.kind === 'schema') return (value) => schemaFault(strategy.schema, value, config)
  try {
    const own = await instantiate(strategy.custom, ValidationStrategy, { ...tools, config })
    return (value) => classFault(own, strategy.custom, value)
  } catch (error) {
    if (hasCode(error, 'plan/class-file-missing', 'plan/no-folder')) return error
    throw error
  }
}

/** Airbyte: a missing value passes. */
function valuesOf({ of, at }: ValidationPlan, config: Config): { place: string; values: readonly unknown[] } {
  if ('value' in of)
    return { place: 'a value', values: [isTemplate(of.value) ? evaluated(of.value, config) : of.value] }
  // Airbyte: templates of the path do not see the config.
  const names = of.path.map((name) => name.evaluate({ config: {}, parameters: {} }))
  const place = `\`${names.map(pythonText).join('.')}\``
  const values = allMatches(config, names.map(stepOf))
  if (values.length > 1 && !names.includes('*')) {
    const message = `The path ${place} of a validation leads to several values; write \`*\` to check each.`
    throw new ConnectorError('manifest/invalid-value', message, { at })
  }
  return { place, values }
}

async function classFault(own: ValidationStrategy, plan: CustomPlan, value: unknown): Promise<string | null> {
  let given: unknown
  try {
    given = await own.validate(value)
  } catch (verdict) {
    return `is refused: ${messageOf(verdict)}`
  }
  // A class that returns false means a refusal: an error says that it has to throw.
  return runCustom(plan, () => {
    if (given === undefined) return null
    throw new TypeError(`it returns ${describeKind(given)}; it must throw an error for an invalid value`)
  })
}

/** Airbyte: a string is parsed as JSON first, and does not pass when it is no JSON. */
function schemaFault(given: JsonSchema | Template, value: unknown, config: Config): string | null {
  const schema = isTemplate(given) ? asJson(evaluated(given, config)) : given
  const instance = asJson(value)
  if (instance === undefined) return 'is text that is not JSON.'
  if (typeof schema !== 'object' || schema === null) return 'is checked by a `base_schema` that is not a schema.'
  const faults = schemaFaults(schema as JsonSchema, instance)
  return faults.length === 0 ? null : `does not match its schema: ${faults.join('; ')}.`
}

function asJson(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return parseJson(value).value
  } catch {
    return undefined
  }
}

function evaluated(template: Template, config: Config): unknown {
  return plainValue(template.evaluate({ config, parameters: {} }) ?? null)
}
