/** Values → TypeScript literals. */
import { stringifyJson } from '../../std/json.ts'
import { isList, isObject } from '../../std/values/objects.ts'

/** Without control characters: in a comment, the literal must not end the line or hide text. */
export function textLiteral(text: string): string {
  const inner = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll("'", "\\'")
    .replaceAll('</', '<\\/')
    .replaceAll(invisible, unicodeEscape)
  return `'${inner}'`
}

/** Line separators, control characters, and marks that change the text direction. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

function unicodeEscape(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
}

/** Foreign text as a line comment: nothing in it ends the line. */
export function lineComment(words: string): string {
  return `// ${words.replaceAll(invisible, ' ').replaceAll(/\s+/g, ' ').trim()}`
}

/** A member's name, quoted where necessary. `__proto__` is computed, since otherwise it would set the prototype. */
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

/** As `invisible`, but without newlines and tabs. */
const hidden = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** A template literal that keeps its lines; whatever would end it or interpolate is escaped. */
export function linesLiteral(text: string): string {
  const inner = text
    .replaceAll(/[\\`]|\$(?=\{)/g, '\\$&')
    .replaceAll('\r', '\\r')
    .replaceAll('</script', '<\\/script')
    .replaceAll(hidden, unicodeEscape)
  return `\`${inner}\``
}
