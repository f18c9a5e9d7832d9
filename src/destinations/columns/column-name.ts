/** A field of a record, or a stream → a name that the database takes, and that no other has. */
import { createHash } from 'node:crypto'

export type NameRules = {
  /** The longest name, in bytes of UTF-8. */
  readonly maxBytes: number
  /** Whether `Name` and `name` are two names. */
  readonly tellsCaseApart: boolean
  /** Names that are the database's own; in small letters. */
  readonly reserved?: ReadonlySet<string>
}

/** Names stay as they are where they can: they are quoted, so reserved words, blanks and emoji are no trouble. */
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
export function foldName(name: string, { tellsCaseApart }: NameRules): string {
  return tellsCaseApart ? name : name.toLowerCase()
}

/** A name cut short ends in a mark of the whole, so that two that begin alike stay two. */
function shorten(name: string, maxBytes: number): string {
  const bytes = Buffer.from(name)
  if (bytes.length <= maxBytes) return name
  const mark = `_${createHash('sha256').update(name).digest('hex').slice(0, 8)}`
  let end = maxBytes - mark.length
  // Not in the middle of a character.
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return bytes.subarray(0, end).toString() + mark
}
