/** Paths of endpoints → a name for each, readable and unique. */
import { streamName } from '../../from-request/address.ts'
import type { ListEndpoint } from '../description.ts'

/** `/orders` → `orders`, `/orders/{id}/items` → `orders_items`; more of the path where two would have the same name. */
export function nameStreams(endpoints: readonly ListEndpoint[]): string[] {
  const words = endpoints.map(({ path }) => wordsOf(path))
  const lengths = words.map(({ least }) => least)
  const nameAt = (index: number) => nameOf(words[index]?.parts ?? [], lengths[index] ?? 1)
  // Longer names for those that clash, until none does or the paths end.
  for (let round = 0; round < 12; round++) {
    const counts = countNames(words.map((_, index) => nameAt(index)))
    let isChanged = false
    for (const [index, { parts }] of words.entries()) {
      if ((counts.get(nameAt(index)) ?? 0) < 2 || (lengths[index] ?? 1) >= parts.length) continue
      lengths[index] = (lengths[index] ?? 1) + 1
      isChanged = true
    }
    if (!isChanged) break
  }
  const taken = new Set<string>()
  return words.map((_, index) => {
    const base = nameAt(index)
    const tried = [base, ...(endpoints[index]?.method === 'POST' ? [`${base}_search`] : [])]
    let name = tried.find((one) => !taken.has(one))
    for (let count = 2; name === undefined; count++) if (!taken.has(`${base}_${count}`)) name = `${base}_${count}`
    taken.add(name)
    return name
  })
}

function countNames(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

const longest = 80

function nameOf(parts: readonly string[], length: number): string {
  return parts.slice(-length).join('_').slice(-longest).replace(/^_+/, '') || 'records'
}

/** Words of paths that do not say what is listed. */
export const saysLittle: ReadonlySet<string> = new Set(
  'search query list find filter lookup browse all export index get describe list_all'.split(' '),
)

/** `least`: a child's name begins with what it belongs to. */
function wordsOf(path: string): { readonly parts: readonly string[]; readonly least: number } {
  // Descriptions of services with one address tell operations apart by what follows `#`.
  const segments = path.split(/[/#:]/).filter((part) => part !== '')
  const parts = segments
    .filter((part) => !part.includes('{') || /^[a-z]/i.test(part))
    .map((part) => part.replaceAll(/\{[^{}]*\}/g, '').replace(/^(X-Amz-Target|Action)=/i, ''))
    .map((part) => streamName(`/${part}`))
    .filter((part) => part !== 'records' || segments.some((one) => /^records\b/i.test(one)))
  const last = segments.findLastIndex((part) => !part.includes('{'))
  const isChild = segments[last - 1]?.includes('{') === true || saysLittle.has(parts.at(-1) ?? '')
  return { parts, least: isChild && parts.length > 1 ? 2 : 1 }
}
