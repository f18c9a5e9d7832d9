/** Values → TypeScript that gives them back. */
import { stringifyJson } from '../../std/json.ts'
import { isList, isObject } from '../../std/values/objects.ts'

/** One line of ASCII: a literal may stand in a line that is a comment, and must not end it nor hide what it says. */
export function textLiteral(text: string): string {
  const inner = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll("'", "\\'")
    .replaceAll('</', '<\\/')
    .replaceAll(invisible, unicodeEscape)
  return `'${inner}'`
}

/** Separators that end a line in JavaScript, controls, and marks that turn the direction in which a line is shown. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

function unicodeEscape(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
}

/** Words of somebody else as a comment to the end of the line: nothing in them ends it. */
export function lineComment(words: string): string {
  return `// ${words.replaceAll(invisible, ' ').replaceAll(/\s+/g, ' ').trim()}`
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

/** As `invisible`, but that lines stay lines, and tabs tabs. */
const hidden = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** Lines stay lines; what would end the literal, or begin something in it, is written so that it does not. */
export function linesLiteral(text: string): string {
  const inner = text
    .replaceAll(/[\\`]|\$(?=\{)/g, '\\$&')
    .replaceAll('\r', '\\r')
    .replaceAll('</script', '<\\/script')
    .replaceAll(hidden, unicodeEscape)
  return `\`${inner}\``
}
