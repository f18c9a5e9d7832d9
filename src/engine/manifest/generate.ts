/** A stream template with its values filled in → a stream, settled and checked like one that the author wrote. */
import { ConnectorError, type Problem } from '../../std/errors.ts'
import { Float } from '../../std/json.ts'
import { pythonText } from '../template/text.ts'
import { checkComponents } from './check-components.ts'
import { components, fieldOf, isComponentType, type FieldKind } from './components.ts'
import { keepPlaces, type Places } from './places.ts'
import type { Component, Generated } from './manifest.ts'
import { type Precedence, settleComponents } from './parameters.ts'
import { problem } from './problem.ts'
import { isNode, isObject, type TreeObject, mapList, mapObject, memberOfNode } from './tree.ts'
import { upgradeSpellings } from './upgrade.ts'
import { accepts, alternativesOf } from './value-kinds.ts'

/** Places of its problems are those of the template. Never throws for what was filled in. */
export function generateStream(
  filled: Component,
  template: Component,
  places: Places,
  precedence: Precedence,
): Generated {
  try {
    // Airbyte: only the name must be a string already.
    const typed = { ...withTexts(filled, template), name: filled.name }
    const settled = settleComponents(keepPlaces(typed, template, places), places, precedence)
    const { root, notes } = upgradeSpellings(settled.root, places)
    const checked = checkComponents(root, places, ['DeclarativeStream', 'StateDelegatingStream'])
    return outcome(root as Component, [...settled.problems, ...notes, ...checked])
  } catch (error) {
    if (error instanceof RangeError) return tooLarge('A stream made from the template nests too deeply.')
    if (!(error instanceof ConnectorError)) throw error
    return tooLarge(error.message)
  }

  function outcome(stream: Component, problems: Problem[]): Generated {
    return { stream: problems.some(({ severity }) => severity === 'error') ? null : stream, problems }
  }
  function tooLarge(message: string): Generated {
    return { stream: null, problems: [problem('manifest/too-large', 'error', message, places.at(template))] }
  }
}

/** Only what differs from the original is changed: the original was checked as written. */
function withTexts(filled: TreeObject, original: unknown): TreeObject {
  const fields = isComponentType(filled.type) ? components[filled.type] : {}
  return mapObject(filled, (value, field) => changed(value, member(original, field), fieldOf(fields, field)))
}

function changed(value: unknown, original: unknown, kind: FieldKind | undefined): unknown {
  if (value === original) return value
  const alternatives = kind === undefined ? [] : alternativesOf(kind)
  if (isObject(value)) {
    const inner = alternatives.flatMap((one) => (typeof one === 'object' && 'map' in one ? [one.map] : []).flat())
    if (inner.length === 0 || isComponentType(value.type)) return withTexts(value, original)
    return mapObject(value, (item, name) => changed(item, member(original, name), inner))
  }
  if (Array.isArray(value)) {
    const inner = alternatives.flatMap((one) => (typeof one === 'object' && 'list' in one ? [one.list] : []))
    return mapList(value, (item, index) => changed(item, member(original, index), inner))
  }
  const isScalar = ['number', 'bigint', 'boolean'].includes(typeof value) || value instanceof Float
  const wantsText = alternatives.includes('text') || alternatives.includes('template')
  return isScalar && wantsText && accepts(alternatives, value) === false ? pythonText(value) : value
}

function member(node: unknown, key: string | number): unknown {
  return isNode(node) ? memberOfNode(node, key) : undefined
}
