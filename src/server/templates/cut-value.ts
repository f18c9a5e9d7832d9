/** A template's value → the start of it, if it is long. */
import { iterate } from '../../engine/template/values/iterate.ts'
import { kindOf } from '../../engine/template/values/kind.ts'
import type { Value } from '../../engine/template/values/value.ts'

export type Cut = { readonly value: Value; readonly isCut: boolean }

/** Limits what is shown, sent and redacted. */
export function cutValue(whole: Value, characters: number): Cut {
  let left = characters
  let isCut = false
  const cut = (value: Value): Value => {
    switch (kindOf(value)) {
      case 'str':
        return cutText(value as string)
      case 'list':
        return cutItems(value as Value[])
      case 'dict':
        return cutMembers(value instanceof Map ? value : Object.entries(value as object))
      case 'mapping':
        return cutMembers(Object.entries((value as { entries: object }).entries))
      case 'tuple':
      case 'set':
        // Short ones are kept; long ones become a list.
        return isShort(value) ? value : cutItems(iterate(value))
      default:
        left -= 8
        return value
    }
  }
  const cutText = (text: string): string => {
    const kept = text.slice(0, Math.max(left, 0))
    isCut ||= kept.length < text.length
    left -= kept.length + 2
    return kept
  }
  const cutItems = (items: Iterable<Value>): Value[] => {
    const kept: Value[] = []
    for (const item of items) {
      if (left <= 0) {
        isCut = true
        break
      }
      kept.push(cut(item))
    }
    return kept
  }
  const cutMembers = (members: Iterable<readonly [unknown, unknown]>): Value => {
    const kept = new Map<Value, Value>()
    for (const [name, member] of members) {
      if (left <= 0) {
        isCut = true
        break
      }
      left -= 4
      kept.set(cut(name as Value), cut(member as Value))
    }
    return kept
  }
  return { value: cut(whole), isCut }
}

function isShort(value: Value): boolean {
  let count = 0
  for (const _item of iterate(value)) if (++count > 1000) return false
  return true
}
