/** An Accept header → which representation of a page, or of a problem, to send. RFC 9110 §12.5.1. */

/** `text` is the markdown as plain text. */
export type Face = 'html' | 'markdown' | 'text'

type Preference = Pick<MediaRange, 'quality' | 'position'>

/**
 * null: the client accepts neither. No Accept header, an empty one, or a wildcard accepts both.
 *
 *     negotiate('text/markdown, text/html;q=0.9')  // 'markdown'
 */
export function negotiate(accept: string | undefined): Face | null {
  // Commas alone are a list of nothing.
  if (accept === undefined || /^[\s,]*$/.test(accept)) return 'html'
  const ranges = parseAccept(accept)
  return best({
    html: preferenceFor('text/html', ranges),
    markdown: preferenceFor('text/markdown', ranges),
    // Only where it is named: a wildcard never means it.
    text: preferenceFor(
      'text/plain',
      ranges.filter(({ type }) => type === 'text/plain'),
    ),
  })
}

export type ProblemFace = 'json' | 'html' | 'markdown'

/** JSON unless HTML or markdown is named and preferred, as browsers and agents do: `curl` and most programs send a wildcard. */
export function negotiateProblem(accept: string | undefined): ProblemFace {
  const ranges = parseAccept(accept ?? '')
  const named = ranges.filter(({ type }) => type.startsWith('text/'))
  const json = ['application/problem+json', 'application/json'].map((type) => preferenceFor(type, ranges))
  return (
    best({
      json: json.reduce((one, other) => (isBefore(other, one) ? other : one)),
      html: preferenceFor('text/html', named),
      markdown: preferenceFor('text/markdown', named),
    }) ?? 'json'
  )
}

/** Of equal ones the first; null when all are refused. */
function best<Name extends string>(preferences: Record<Name, Preference>): Name | null {
  const [first] = (Object.entries(preferences) as [Name, Preference][])
    .filter(([, { quality }]) => quality > 0)
    .toSorted(([, one], [, other]) => (isBefore(one, other) ? -1 : isBefore(other, one) ? 1 : 0))
  return first?.[0] ?? null
}

/** Equal weight: the first one named. Where both match one wildcard, HTML. */
function isBefore(one: Preference, other: Preference): boolean {
  return one.quality === other.quality ? one.position < other.position : one.quality > other.quality
}

/** The most specific range that matches decides, even when a broader one is kinder. */
function preferenceFor(type: string, ranges: readonly MediaRange[]): Preference {
  const exact = ranges.filter((range) => range.type === type)
  const tiers = [
    exact.filter(({ hasParameters }) => !hasParameters),
    // `text/markdown;variant=GFM`: there is only one markdown, so parameters are ignored.
    exact,
    ranges.filter((range) => range.type === `${type.slice(0, type.indexOf('/'))}/*`),
    ranges.filter((range) => range.type === '*/*'),
  ]
  const deciding = tiers.find((tier) => tier.length > 0) ?? []
  return deciding.reduce<Preference>((first, range) => (isBefore(range, first) ? range : first), {
    quality: 0,
    position: Number.POSITIVE_INFINITY,
  })
}

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
