/** The text of an Accept header → its media ranges, in bounded time. */

export type MediaRange = {
  /** Lower case, without parameters: `text/markdown`, `text/*`. */
  readonly type: string
  readonly hasParameters: boolean
  /** 0 when it is forbidden, or written in a way that cannot be read. */
  readonly quality: number
  readonly position: number
}

/** Real clients send fewer than 20 ranges in 300 characters; what lies beyond these limits is not looked at. */
const longestHeader = 4096
const mostRanges = 100

/** A comma or semicolon within quotes separates nothing. The two alternatives never match the same character. */
const betweenCommas = /(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g
const betweenSemicolons = /(?:[^;"]|"(?:[^"\\]|\\.)*"?)+/g

/** RFC 9110 §12.4.2: at most three decimals, nothing above 1. */
const weight = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i

export function parseAccept(header: string): MediaRange[] {
  const isWhole = header.length <= longestHeader
  const elements = header.slice(0, longestHeader).match(betweenCommas) ?? []
  // A range cut in the middle could mean something else.
  const whole = isWhole ? elements : elements.slice(0, -1)
  return whole
    .filter((element) => element.trim() !== '')
    .slice(0, mostRanges)
    .map(parseRange)
}

function parseRange(element: string, position: number): MediaRange {
  const [type = '', ...parameters] = (element.match(betweenSemicolons) ?? []).map((part) => part.trim())
  const given = parameters.find((parameter) => /^q\s*=/i.test(parameter))
  return {
    type: type.toLowerCase(),
    hasParameters: parameters.some((parameter) => parameter !== given && parameter !== ''),
    quality: given === undefined ? 1 : Number(weight.exec(given)?.[1] ?? 0),
    position,
  }
}
