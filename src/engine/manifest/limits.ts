/** How large a manifest may be: far larger than any real one, and small enough to be read without delay. */
import { ConnectorError } from '../../std/errors.ts'

/** The longest of 332 real ones has 1.3 million. */
const maxCharacters = 8 * 2 ** 20

/** The largest of 332 real ones has 115,000 keys and values, and as many marks between them. */
export const maxValues = 300_000

/** In one object; the largest of 332 real manifests has one of 771. */
export const maxMembers = 10_000

/** That `<<` may bring in, all together. */
export const maxMerged = 300_000

/** Reported in full; a longer list would not help. */
export const maxProblems = 1000

/**
 * Before anything is parsed: every key and every value is separated by one of a few characters, so counting those bounds
 * the work of the parser.
 */
export function refuseTooLarge(text: string): void {
  if (text.length > maxCharacters)
    failTooLarge(`The manifest has more than ${maxCharacters / 2 ** 20} million characters.`)
  let marks = 0
  for (let index = 0; index < text.length; index++) marks += marked[text.charCodeAt(index)] ?? 0
  if (marks > maxValues) tooManyValues()
}

/** Line breaks, `,`, `:`, `?`, `[`, `{`. Dashes of nested lists need none between them, but nesting has its own limit. */
const marked = new Uint8Array(128)
for (const mark of '\n\r,:?[{') marked[mark.charCodeAt(0)] = 1

export function tooManyValues(): never {
  failTooLarge(`The manifest has more than ${maxValues} keys and values.`)
}

export function tooManyMembers(key: string | number): never {
  failTooLarge(`\`${key}\` has more than ${maxMembers} members.`)
}

export function failTooLarge(message: string): never {
  throw new ConnectorError('manifest/too-large', message, { at: { pointer: '' } })
}
