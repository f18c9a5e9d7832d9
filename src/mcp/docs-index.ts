/** docs/*.md → sections, and a search over them. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import MiniSearch from 'minisearch'

export type DocsSection = {
  /** `pagination.md`. */
  readonly page: string
  /** The heading, with those above it: `Pagination › Cursor`. */
  readonly heading: string
  readonly text: string
}

async function readDocsSections(folder: string): Promise<DocsSection[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.md')).toSorted()
  const pages = await Promise.all(
    files.map(async (page) => sectionsOf(page, await readFile(join(folder, page), 'utf8'))),
  )
  return pages.flat()
}

export function sectionsOf(page: string, markdown: string): DocsSection[] {
  const sections: { headings: string[]; lines: string[] }[] = []
  let isCode = false
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode
    const [, marks, title] = (!isCode && /^(#{1,4}) +(.+)$/.exec(line)) || []
    if (marks !== undefined && title !== undefined) {
      const above = sections.at(-1)?.headings.slice(0, marks.length - 1) ?? []
      sections.push({ headings: [...above, title.replaceAll('`', '')], lines: [] })
    } else sections.at(-1)?.lines.push(line)
  }
  return sections.map(({ headings, lines }) => {
    const text = lines.join('\n').trim()
    const heading = headings.join(' › ')
    return { page, heading, text }
  })
}

/** Some sections may have only one of the words, so any is enough; the more of them and the rarer, the better. */
const searching = { boost: { title: 8 }, prefix: true, combineWith: 'OR' } as const

export type DocsIndex = { readonly search: (query: string, most: number) => DocsSection[] }

export async function openDocsIndex(folder: string): Promise<DocsIndex> {
  const sections = await readDocsSections(folder)
  const index = new MiniSearch({ fields: ['title', 'text'], searchOptions: searching })
  // Only the last heading: those above it are found by their own sections.
  index.addAll(sections.map(({ heading, text }, id) => ({ id, title: heading.split(' › ').at(-1), text })))
  return {
    search: (query, most) =>
      index
        .search(query)
        .slice(0, most)
        .flatMap(({ id }) => sections[Number(id)] ?? []),
  }
}
