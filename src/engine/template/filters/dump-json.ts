/** A value → JSON text exactly as Python's `json.dumps` writes it. */
import { HeaderDict } from '../host.ts'
import { maxValueDepth } from '../limits.ts'
import { spend, spendText } from '../meter.ts'
import { needs, tooMuchWork } from '../trouble.ts'
import type { Tuple } from '../values/containers.ts'
import { type Dict, dictEntries } from '../values/dict.ts'
import { compare } from '../values/equality.ts'
import { str } from '../values/python-text.ts'
import { asDouble, isNumber, kindOf } from '../values/kind.ts'
import type { Value } from '../values/value.ts'

type Style = { sortsKeys: boolean; indent: string | null }

export function dumpJson(value: Value, style: Style): string {
  return dump(value, style, 0)
}

function dump(value: Value, style: Style, depth: number): string {
  spend(0.1)
  if (depth > maxValueDepth) throw tooMuchWork('writes a value nested too deeply')
  switch (kindOf(value)) {
    case 'none':
      return 'null'
    case 'bool':
      return value === true ? 'true' : 'false'
    case 'int':
    case 'float':
      return numberText(value)
    case 'str':
      spendText((value as string).length)
      return quotedJson(value as string)
    case 'list':
    case 'tuple': {
      const items = Array.isArray(value) ? value : (value as Tuple).items
      return enclosed(
        '[',
        items.map((item) => dump(item, style, depth + 1)),
        ']',
        style,
        depth,
      )
    }
    case 'dict':
      return enclosed('{', members(value as Dict, style, depth), '}', style, depth)
    default:
      // Airbyte hands headers over as a plain dict, slices and records not.
      if (value instanceof HeaderDict) return dump(value.entries, style, depth)
      throw needs('JSON', 'values JSON has', value)
  }
}

function numberText(value: Value): string {
  if (isNumber(value) && Number.isNaN(asDouble(value))) return 'NaN'
  const text = str(value)
  return text.replace('inf', 'Infinity')
}

/** Everything outside ASCII is escaped. */
function quotedJson(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return JSON.stringify(text).replace(/[\u007f-\uffff]/g, (unit) =>
    unit === '\x7f' ? unit : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function members(dict: Dict, style: Style, depth: number): string[] {
  const entries = dictEntries(dict)
  const ordered = style.sortsKeys ? entries.toSorted(([left], [right]) => compare(left, right)) : entries
  return ordered.map(([key, value]) => `${keyText(key)}: ${dump(value, style, depth + 1)}`)
}

function keyText(key: Value): string {
  switch (kindOf(key)) {
    case 'str':
      return quotedJson(key as string)
    case 'int':
    case 'float':
    case 'bool':
    case 'none':
      return `"${dump(key, { sortsKeys: false, indent: null }, 0)}"`
    default:
      throw needs('JSON', 'keys that are strings', key)
  }
}

function enclosed(open: string, parts: string[], close: string, { indent }: Style, depth: number): string {
  spendText(parts.reduce((length, part) => length + part.length + 2, 0))
  if (indent === null || parts.length === 0) return open + parts.join(', ') + close
  const line = `\n${indent.repeat(depth + 1)}`
  return `${open}${line}${parts.join(`,${line}`)}\n${indent.repeat(depth)}${close}`
}
