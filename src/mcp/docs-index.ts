/** docs/*.md → sections, and a search over them: words that few sections have count more, words of a heading most. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

export type DocsSection = {
  /** `pagination.md`. */
  readonly page: string
  /** The heading, with those above it: `Pagination › Cursor`. */
  readonly heading: string
  readonly text: string
  readonly words: ReadonlyMap<string, number>
}

export async function readDocsSections(folder: string): Promise<DocsSection[]> {
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
    return { page, heading, text, words: countWords(text, heading) }
  })
}

/** A word of the last heading counts as several of the text. */
const headingWeight = 8

function countWords(text: string, heading: string): Map<string, number> {
  const counts = new Map<string, number>()
  const add = (word: string, weight: number) => counts.set(word, (counts.get(word) ?? 0) + weight)
  for (const word of wordsOf(text)) add(word, 1)
  for (const word of wordsOf(heading.split(' › ').at(-1) ?? '')) add(word, headingWeight)
  return counts
}

/** Without the ends that differ between forms of a word. */
function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[a-z\d_]{2,}/g) ?? []).map((word) =>
    word.replace(/(?<=[a-z]{3})(?:ies|es|s|ing|ed)$/, ''),
  )
}

/** The best first; empty where no section has any of the words. */
export function searchSections(sections: readonly DocsSection[], query: string, most: number): DocsSection[] {
  const asked = [...new Set(wordsOf(query))]
  const rarity = new Map(
    asked.map((word) => {
      const having = sections.filter(({ words }) => words.has(word)).length
      return [word, having === 0 ? 0 : Math.log(1 + sections.length / having)]
    }),
  )
  const scoreOf = ({ words, text }: DocsSection) =>
    asked.reduce((sum, word) => {
      const count = words.get(word) ?? 0
      // A word that is there ten times says little more than one that is there five times; long sections have more words.
      return sum + ((rarity.get(word) ?? 0) * count) / (count + 1.5 * (0.5 + text.length / 3000))
    }, 0)
  return sections
    .map((section) => ({ section, score: scoreOf(section) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, most)
    .map(({ section }) => section)
}
