/** What the parsers of all formats of many items have in common. */

/** Text, piece by piece → the items that ended in it. Throws a `FormatError` that says where. */
export type ItemParser = {
  read(text: string): unknown[]
  /** What is left when the text is over; or the error that it ends in the middle. */
  end(): unknown[]
  /** Whether an item so far may hold a `Float`. */
  readonly hasFloats: boolean
}

/** What is wrong with a body, and where in it: `line 7 is not JSON`. */
export class FormatError extends Error {
  override readonly name = 'FormatError'
  readonly isTooLarge: boolean
  constructor(message: string, { isTooLarge = false, cause }: { isTooLarge?: boolean; cause?: unknown } = {}) {
    super(message, { cause })
    this.isTooLarge = isTooLarge
  }
}

/** Of one item, in characters. Larger than any record a destination takes, and small enough to be held several times over. */
export const longestItem = 32 * 1024 * 1024

export function tooLong(what: string): FormatError {
  return new FormatError(`${what} is longer than ${longestItem} characters`, { isTooLarge: true })
}

const quotedLength = 80

/** The start of a text, for a message. */
export function startOf(text: string): string {
  return JSON.stringify(text.length > quotedLength ? `${text.slice(0, quotedLength)}…` : text)
}
