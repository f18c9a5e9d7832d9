/** An Accept header → which face of the homepage to show. RFC 9110 §12.5.1. */
import { type MediaRange, parseAccept } from './accept.ts'

export type Face = 'html' | 'markdown'

type Preference = Pick<MediaRange, 'quality' | 'position'>

/**
 * null: the client refuses both. Nobody is refused who sent no Accept, an empty one, or a wildcard.
 *
 *     negotiate('text/markdown, text/html;q=0.9')  // 'markdown'
 */
export function negotiate(accept: string | undefined): Face | null {
  // Commas alone are a list of nothing.
  if (accept === undefined || /^[\s,]*$/.test(accept)) return 'html'
  const ranges = parseAccept(accept)
  const html = preferenceFor('text/html', ranges)
  const markdown = preferenceFor('text/markdown', ranges)
  if (html.quality === 0 && markdown.quality === 0) return null
  return isBefore(markdown, html) ? 'markdown' : 'html'
}

/** Equal weight: whichever was named first. Two that share one wildcard stand at one position, and HTML is shown. */
function isBefore(one: Preference, other: Preference): boolean {
  return one.quality === other.quality ? one.position < other.position : one.quality > other.quality
}

/** The most specific range that matches decides, even when a broader one is kinder. */
function preferenceFor(type: string, ranges: readonly MediaRange[]): Preference {
  const exact = ranges.filter((range) => range.type === type)
  const tiers = [
    exact.filter(({ hasParameters }) => !hasParameters),
    // `text/markdown;variant=GFM`: we have one markdown only, and nobody asks for a variant to be refused it.
    exact,
    ranges.filter((range) => range.type === 'text/*'),
    ranges.filter((range) => range.type === '*/*'),
  ]
  const deciding = tiers.find((tier) => tier.length > 0) ?? []
  return deciding.reduce<Preference>((best, range) => (isBefore(range, best) ? range : best), {
    quality: 0,
    position: Number.POSITIVE_INFINITY,
  })
}
