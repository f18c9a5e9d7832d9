/** Values → TypeScript that gives them back. */
import { stringifyJson } from '../../json.ts'
import { isList, isObject } from '../../members.ts'

export function textLiteral(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")
  return `'${inner}'`
}

/** A member's name, quoted where it has to be. In quotes or not, `__proto__` would set what it names. */
export function keyLiteral(name: string): string {
  if (name === '__proto__') return "['__proto__']"
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : textLiteral(name)
}

export function valueLiteral(value: unknown): string {
  if (typeof value === 'string') return textLiteral(value)
  if (typeof value === 'bigint') return `${value}n`
  if (isList(value)) return `[${value.map(valueLiteral).join(', ')}]`
  if (!isObject(value)) return stringifyJson(value)
  const members = Object.entries(value).map(([name, member]) => `${keyLiteral(name)}: ${valueLiteral(member)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

/** Lines stay lines; what would end the literal, or begin something in it, is written so that it does not. */
export function linesLiteral(text: string): string {
  const inner = text
    .replaceAll(/[\\`]|\$(?=\{)/g, '\\$&')
    .replaceAll('\r', '\\r')
    .replaceAll('\0', '\\x00')
  return `\`${inner}\``
}
