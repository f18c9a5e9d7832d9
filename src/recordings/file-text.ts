/** A value → JSON text for people and for git: what fits on a line is on one, everything else has a line per member. */
import { stringifyJson } from '../std/json.ts'
import { isList, isObject } from '../std/values/objects.ts'

const lineWidth = 140

export function fileText(value: unknown): string {
  return `${written(value, '', 0)}\n`
}

/** @param used how much of the line is taken by the name of the member. */
function written(value: unknown, indent: string, used: number): string {
  const flat = stringifyJson(value)
  const isLeaf = !isList(value) && !isObject(value)
  if (isLeaf || flat === '{}' || flat === '[]') return flat
  // Members of the outermost levels are easier to find on lines of their own.
  if (indent.length >= 4 && indent.length + used + flat.length + countOf(flat) <= lineWidth) return spaced(flat)
  const inner = `${indent}  `
  const members = isList(value)
    ? value.map((member) => inner + written(member, inner, 0))
    : Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(([key, member]) => {
          const name = `${JSON.stringify(key)}: `
          return inner + name + written(member, inner, name.length)
        })
  const [open, close] = isList(value) ? '[]' : '{}'
  return `${open}\n${members.join(',\n')}\n${indent}${close}`
}

/** `{"a":1,"b":2}` as `{ "a": 1, "b": 2 }`; strings stay as they are. */
function spaced(flat: string): string {
  return flat.replaceAll(/"(?:[^"\\]|\\.)*"|\{\}|[{}:,]/g, (part) => {
    switch (part) {
      case '{':
        return '{ '
      case '}':
        return ' }'
      case ':':
      case ',':
        return `${part} `
      default:
        return part
    }
  })
}

/** What the spaces add. */
function countOf(flat: string): number {
  return flat.match(/[{}:,]/g)?.length ?? 0
}
