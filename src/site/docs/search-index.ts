/** Pages of the docs → the index that search in the browser loads. */
import { Marked, type Token } from 'marked'
import MiniSearch from 'minisearch'
import { type DocSet, plain } from './doc-set.ts'
import { type SearchedPart, searchOptions } from './search-options.ts'
import { slugs } from './slug.ts'

export function searchIndex({ pages }: DocSet): string {
  const index = new MiniSearch<SearchedPart>(searchOptions)
  index.addAll(pages.flatMap(({ url, title, text }) => partsOf(url, title, text)))
  return JSON.stringify(index)
}

/** How much of a part its result shows. */
const shown = 140

function partsOf(url: string, page: string, text: string): SearchedPart[] {
  const parts: { id: string; page: string; heading: string; text: string }[] = []
  const slugOf = slugs()
  for (const token of new Marked().lexer(text)) {
    if (token.type === 'heading') {
      const slug = slugOf(String(token.text))
      parts.push({ id: token.depth === 1 ? url : `${url}#${slug}`, page, heading: plain(String(token.text)), text: '' })
      continue
    }
    const last = parts.at(-1)
    if (last !== undefined) last.text += `${wordsOf(token)} `
  }
  return parts.map((part) => ({ ...part, text: part.text.trim(), start: part.text.trim().slice(0, shown) }))
}

function wordsOf(token: Token): string {
  if (token.type === 'html' || token.type === 'space') return ''
  return plain(token.raw.replace(/^```.*$/gm, ' ').replace(/[|>]|^[\s:-]+$|---/gm, ' '))
}
