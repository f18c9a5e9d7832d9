/** How an API writes names of several words: snake, camel, …, learned from its responses. */
import { isList, isObject } from '../../std/values/objects.ts'

export type NameStyle = 'snake' | 'camel' | 'pascal' | 'kebab' | 'lower' | 'upper'

/** A leading `=`: written so everywhere. */
export function styled(words: string, style: NameStyle): string {
  if (words.startsWith('=')) return words.slice(1)
  const parts = words.split(' ')
  const capital = (part: string) => part.charAt(0).toUpperCase() + part.slice(1)
  switch (style) {
    case 'snake':
      return parts.join('_')
    case 'camel':
      return parts.map((part, index) => (index === 0 ? part : capital(part))).join('')
    case 'pascal':
      return parts.map(capital).join('')
    case 'kebab':
      return parts.join('-')
    case 'lower':
      return parts.join('')
    case 'upper':
      return parts.join('_').toUpperCase()
  }
}

const mostNames = 400

/** The style of most names in a response that have one; names of one word say little. */
export function nameStyleOf(body: unknown): NameStyle {
  const counts = new Map<NameStyle, number>()
  let seen = 0
  const visit = (value: unknown, depth: number) => {
    if (depth > 6 || seen > mostNames) return
    // Records are alike: a few show how all are written.
    if (isList(value)) for (const item of value.slice(0, 2)) visit(item, depth + 1)
    if (!isObject(value)) return
    for (const name of Object.keys(value)) {
      seen++
      const style = styleOfName(name)
      if (style !== null) counts.set(style, (counts.get(style) ?? 0) + 1)
      visit(value[name], depth + 1)
    }
  }
  visit(body, 0)
  const [most] = [...counts].toSorted(([, one], [, other]) => other - one)
  return most?.[0] ?? 'snake'
}

function styleOfName(name: string): NameStyle | null {
  if (/^[A-Z\d]+(_[A-Z\d]+)*$/.test(name) && /[A-Z]{2}/.test(name)) return 'upper'
  if (/^[a-z\d]+(_[a-z\d]+)+$/.test(name)) return 'snake'
  if (/^[a-z\d]+(-[a-z\d]+)+$/.test(name)) return 'kebab'
  if (/^[a-z\d]+([A-Z][a-z\d]*)+$/.test(name)) return 'camel'
  return /^([A-Z][a-z\d]+)+$/.test(name) ? 'pascal' : null
}

/** The words of a name: `nextPageToken`, `next_page_token` and `X-Next-Page-Token` have the same. */
export function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '' && word !== 'x')
}

export function plainName(name: string): string {
  return wordsOf(name).join('')
}
