/** What a template gave as a number → the text that its field wants. Airbyte: a made stream takes `2024` for "2024". */
import { Float } from '../../std/json.ts'
import { pythonText } from '../template/text.ts'
import { components, fieldOf, isComponentType, type Kind } from './components.ts'
import { isNode, isObject, type JsonObject, mapList, mapObject, memberOfNode } from './tree.ts'
import { accepts, alternativesOf } from './value-kinds.ts'

/** Looks only at what differs from the original, which was checked as it was written. */
export function withTexts(filled: JsonObject, original: unknown): JsonObject {
  const fields = isComponentType(filled.type) ? components[filled.type] : {}
  return mapObject(filled, (value, field) => changed(value, member(original, field), fieldOf(fields, field)))
}

function changed(value: unknown, original: unknown, kind: Kind | undefined): unknown {
  if (value === original) return value
  if (isObject(value)) return withTexts(value, original)
  const alternatives = kind === undefined ? [] : alternativesOf(kind)
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
