/** `'{} {name!r:>10}'.format(…)` → text. Attributes and keys are reached as templates reach them. */
import { spendText } from '../meter.ts'
import { failed } from '../trouble.ts'
import { getAttribute, getItem } from '../values/access.ts'
import { repr, str } from '../values/python-text.ts'
import type { Value } from '../values/value.ts'
import { formatValue } from './format-spec.ts'

type Given = { positional: readonly Value[]; named: ReadonlyMap<string, Value>; next: number }

const piece = /\{\{|\}\}|\{([^{}!:]*)(?:!([rsa]))?(?::((?:[^{}]|\{[^{}]*\})*))?\}|[{}]/g
const path = /\.([^.[\]]+)|\[([^\]]+)\]/g

export function formatText(format: string, positional: readonly Value[], named: ReadonlyMap<string, Value>): string {
  const given: Given = { positional, named, next: 0 }
  let length = format.length
  const text = format.replace(piece, (whole, field?: string, conversion?: string, spec?: string) => {
    if (whole === '{{' || whole === '}}') return whole.charAt(0)
    if (field === undefined) throw failed(`a single \`${whole}\` in a format`)
    const value = lookUp(field, given)
    const converted = conversion === undefined ? value : conversion === 's' ? str(value) : repr(value)
    const nested = (spec ?? '').replace(/\{([^{}]*)\}/g, (_, inner: string) => str(lookUp(inner, given)))
    const shown = formatValue(converted, nested)
    length += shown.length
    spendText(length)
    return shown
  })
  return text
}

function lookUp(field: string, given: Given): Value {
  const name = /^[^.[]*/.exec(field)?.[0] ?? ''
  let value = argument(name, given)
  for (const [, attribute, key] of field.slice(name.length).matchAll(path)) {
    if (attribute !== undefined) value = getAttribute(value, attribute)
    else if (key !== undefined) value = getItem(value, /^\d+$/.test(key) ? Number(key) : key)
  }
  return value
}

function argument(name: string, given: Given): Value {
  const key = name === '' ? given.next++ : /^\d+$/.test(name) ? Number(name) : name
  const value = typeof key === 'number' ? given.positional[key] : given.named.get(key)
  if (value === undefined) throw failed(`the format needs \`${key}\`, which is not given`)
  return value
}
