/** A field or a stream → a unique name that the database accepts. */
import { createHash } from 'node:crypto'

export type NameRules = {
  /** The longest name, in bytes of UTF-8. */
  readonly maxBytes: number
  /** Whether `Name` and `name` are two names. */
  readonly isCaseSensitive: boolean
  /** Names that the database reserves, in lower case. */
  readonly reserved?: ReadonlySet<string>
}

/** Names are kept where possible: they are quoted, so reserved words, spaces and emoji are allowed. */
export function chooseName(wanted: string, rules: NameRules, isTaken: (folded: string) => boolean): string {
  const clean = wanted.replaceAll('\u0000', '_').toWellFormed()
  const base = shorten(clean === '' ? '_' : clean, rules.maxBytes)
  const isFree = (name: string) => !isTaken(foldName(name, rules)) && rules.reserved?.has(name.toLowerCase()) !== true
  if (isFree(base)) return base
  for (let count = 2; ; count++) {
    const name = shorten(`${base}_${count}`, rules.maxBytes)
    if (isFree(name)) return name
  }
}

/** Names that fold to the same are the same to the database. */
export function foldName(name: string, { isCaseSensitive }: NameRules): string {
  return isCaseSensitive ? name : name.toLowerCase()
}

/** A shortened name ends in a hash of the whole name, so that two names with the same beginning stay different. */
function shorten(name: string, maxBytes: number): string {
  const bytes = Buffer.from(name)
  if (bytes.length <= maxBytes) return name
  const mark = `_${createHash('sha256').update(name).digest('hex').slice(0, 8)}`
  let end = maxBytes - mark.length
  // Not in the middle of a character.
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return bytes.subarray(0, end).toString() + mark
}
