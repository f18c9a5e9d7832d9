/** Files of docs/ → pages in reading order, with the sections that docs/README.md puts them in. */
import type { DocFile } from './read-docs.ts'

export type DocPage = DocFile & {
  /** `/docs/sync`. */
  readonly url: string
  readonly markdownUrl: string
  readonly title: string
  /** One line, for search results and lists. */
  readonly description: string
}

export type DocEntry = { readonly title: string; readonly url: string; readonly note: string }

export type DocSection = { readonly title: string; readonly entries: readonly DocEntry[] }

export type DocSet = {
  readonly pages: readonly DocPage[]
  readonly sections: readonly DocSection[]
  readonly byPath: ReadonlyMap<string, DocPage>
}

const indexPath = 'README'

export function docSet(files: readonly DocFile[]): DocSet {
  const index = files.find(({ path }) => path === indexPath)
  const listed = index === undefined ? [] : entriesIn(index.text)
  const order = [indexPath, ...listed.map(({ path }) => path)]
  const place = ({ path }: DocFile) => (order.includes(path) ? order.indexOf(path) : order.length)
  const pages = files.toSorted((one, other) => place(one) - place(other)).map((file) => pageOf(file, listed))
  const byPath = new Map(pages.map((page) => [page.path, page]))
  return { pages, byPath, sections: sectionsOf(listed, byPath) }
}

type Listed = { section: string; title: string; path: string; anchor: string; note: string }

/** `- [Sync](sync.md): modes and verdicts.` under a heading. */
function entriesIn(text: string): Listed[] {
  let section = ''
  return text.split('\n').flatMap((line) => {
    section = /^## (.+)$/.exec(line)?.[1] ?? section
    const [, title = '', path = '', anchor = '', note = ''] =
      /^- \[([^\]]+)\]\(([\w/-]+)\.md(#[\w-]+)?\)(?:: (.+))?$/.exec(line) ?? []
    return path === '' ? [] : [{ section, title, path, anchor, note }]
  })
}

function sectionsOf(listed: readonly Listed[], byPath: ReadonlyMap<string, DocPage>): DocSection[] {
  const names = [...new Set(listed.map(({ section }) => section))]
  return names.map((name) => ({
    title: name,
    entries: listed
      .filter(({ section }) => section === name)
      .flatMap(({ title, path, anchor, note }) => {
        const page = byPath.get(path)
        return page === undefined ? [] : [{ title, url: page.url + anchor, note: plain(note) }]
      }),
  }))
}

function pageOf(file: DocFile, listed: readonly Listed[]): DocPage {
  const { path, text } = file
  const note = listed.find((entry) => entry.path === path && entry.anchor === '')?.note ?? ''
  return {
    ...file,
    url: urlOf(path),
    markdownUrl: path === indexPath ? '/docs/index.md' : `${urlOf(path)}.md`,
    title: plain(/^# (.+)$/m.exec(text)?.[1] ?? path),
    description: asSentence(plain(note === '' ? firstParagraph(text) : note)),
  }
}

/** The README of a folder is the folder. */
function urlOf(path: string): string {
  return `/docs/${path}`.replace(/\/README$/, '')
}

function firstParagraph(text: string): string {
  const [paragraph = ''] = text.split('\n\n').filter((block) => /^[A-Z`[]/.test(block))
  const [sentence = ''] = /^.*?[.:](?=\s|$)/s.exec(paragraph) ?? [paragraph]
  return sentence
}

/** A note follows a colon; alone, as in search results, it begins with a capital letter. */
const asSentence = (note: string) => note.charAt(0).toUpperCase() + note.slice(1)

/** Markdown of one line without its marks. */
export function plain(text: string): string {
  return text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}
