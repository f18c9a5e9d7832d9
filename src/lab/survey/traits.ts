/** How a stream turns its pages, in the words of the lab's faults; and why a fault makes no sense for it. */
import type { Fault, Trait } from '../faults/fault.ts'
import { isCounted, isKeyed, type Paging } from '../mirror/paging.ts'

/** Every API may count its records; those of a manifest that reads no count are made to where a fault needs it. */
export function traitsOf(paging: Paging): Trait[] {
  if (!paging.isTold) return []
  return ['pages', 'sized', 'total', ...waysOf(paging)]
}

function waysOf(paging: Paging): Trait[] {
  if (isCounted(paging)) return ['counted']
  if (isKeyed(paging)) return ['keyed']
  return paging.isLink ? ['next', 'cursor', 'link'] : ['next', 'cursor']
}

const without: Readonly<Record<Trait, string>> = {
  pages: 'the stream reads one page',
  sized: 'the pages have no size',
  total: 'the API counts nothing',
  counted: 'the manifest sends no number of a page or record',
  next: 'the manifest does not ask the API which page is next',
  keyed: 'the walk does not go on from a record',
  cursor: 'no cursor is handed out',
  link: 'the next page is not asked for by a link',
}

const despite: { readonly [trait in Trait]?: string } = {
  keyed: 'the walk goes on from the last record of a page',
}

/** Null where it makes sense. */
export function whyNot({ name, suits }: Fault, traits: readonly Trait[], asksForSize: boolean): string | null {
  if (name === 'capped-size' && traits.includes('pages') && !asksForSize) return 'the manifest asks for no page size'
  if (suits(traits)) return null
  if (!traits.includes('pages')) return without.pages
  const all = Object.keys(without) as Trait[]
  const missing = all.find((trait) => !traits.includes(trait) && suits([...traits, trait]))
  if (missing !== undefined) return without[missing]
  const surplus = traits.find((trait) => suits(traits.filter((one) => one !== trait)))
  return (surplus && despite[surplus]) ?? 'the fault needs another way of paging'
}
