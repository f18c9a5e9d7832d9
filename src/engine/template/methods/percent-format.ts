/** `'%s of %05.2f' % (a, b)` → text. */
import { spendText } from '../meter.ts'
import { failed, needs, wrongType } from '../trouble.ts'
import { Tuple } from '../values/containers.ts'
import { asDict, dictGet } from '../values/dict.ts'
import { textLength } from '../values/iterate.ts'
import { repr, str } from '../values/python-text.ts'
import { usedUndefined } from '../values/undefined.ts'
import { asDouble, isInt, isNumber } from '../values/kind.ts'
import type { Value } from '../values/value.ts'
import { formatNumber, type Spec } from './format-spec.ts'

const piece = /%(?:\(([^)]*)\))?([-+ #0]*)(\*|\d+)?(?:\.(\*|\d+))?[hlL]?([\s\S]?)/g

export function percentFormat(format: string, given: Value): string {
  const values = given instanceof Tuple ? [...given.items] : [given]
  const mapping = given instanceof Tuple ? null : asDict(given)
  let isNamed = false
  const take = () => {
    const value = values.shift()
    if (value === undefined) throw wrongType('the format needs more values than it is given')
    return value
  }
  let length = format.length
  const text = format.replace(piece, (_, key: string | undefined, flags: string, width, precision, type: string) => {
    if (type === '%') return '%'
    if (type === '') throw failed('the format ends in the middle of a code')
    const size = (part: string | undefined) =>
      part === '*' ? Number(take()) : part === undefined ? null : Number(part)
    const [wide, precise] = [size(width), size(precision)]
    let value: Value
    if (key === undefined) value = take()
    else {
      if (mapping === null) throw needs('the format', 'a dict', given)
      isNamed = true
      const found = dictGet(mapping, key)
      if (found === undefined) throw failed(`the format needs \`${key}\`, which is not given`)
      value = found
    }
    const shown = formatOne(type, value, flags, wide, precise)
    length += shown.length
    spendText(length)
    return shown
  })
  if (values.length > 0 && !isNamed && mapping === null && !Array.isArray(given)) {
    throw wrongType('the format is given more values than it needs')
  }
  return text
}

function formatOne(type: string, value: Value, flags: string, width: number | null, precision: number | null): string {
  const wide = Math.abs(width ?? 0)
  const isLeft = flags.includes('-') || (width ?? 0) < 0
  if (type === 's' || type === 'r' || type === 'a') {
    const whole = type === 's' ? str(value) : repr(value)
    const text = precision === null ? whole : Array.from(whole).slice(0, precision).join('')
    const missing = Math.max(wide - textLength(text), 0)
    spendText(missing)
    return isLeft ? text + ' '.repeat(missing) : ' '.repeat(missing) + text
  }
  if (type === 'c') return typeof value === 'string' ? value : String.fromCodePoint(Number(value))
  if (!'dioxXeEfFgGu'.includes(type)) throw failed(`\`%${type}\` is not a code of formats`)
  usedUndefined(value)
  if (!isNumber(value)) throw needs(`\`%${type}\``, 'a number', value)
  const isWhole = 'dioxXu'.includes(type)
  if ('oxX'.includes(type) && !isInt(value)) throw needs(`\`%${type}\``, 'an int', value)
  const spec: Spec = {
    fill: flags.includes('0') && !isLeft ? '0' : ' ',
    align: isLeft ? '<' : flags.includes('0') ? '=' : '>',
    sign: flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '-',
    isAlternate: flags.includes('#'),
    width: wide,
    grouping: '',
    precision: isWhole ? null : precision,
    type: 'iu'.includes(type) ? 'd' : type,
  }
  return formatNumber(isWhole && !isInt(value) ? BigInt(Math.trunc(asDouble(value))) : value, spec)
}
