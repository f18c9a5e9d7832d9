/** Lists in the config → the values of each stream to be made: every combination of their members. */
import { ConnectorError } from '../../std/errors.ts'
import type { ConfigListPlan } from '../plan/dynamic.ts'
import type { Config } from '../plan/plan.ts'
import { allMatches, stepOf } from '../records/match-path.ts'
import { isObject } from '../../std/values/objects.ts'
import { Tuple } from '../template/values/containers.ts'
import type { Value } from '../template/template.ts'

type Choice = { readonly index: number; readonly member: unknown }

/** Far beyond any config that a person fills in, far below what would exhaust the memory. */
const maxCombinations = 100_000

/** The first list varies slowest. */
export function configValues(lists: readonly ConfigListPlan[], config: Config): Readonly<Record<string, unknown>>[] {
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
