/** Pages of the docs → markdown for agents: links absolute, front matter in front; and all of them as one text. */
import { frontMatter } from '../front-matter.ts'
import { targetOf } from './doc-links.ts'
import type { DocPage, DocSet } from './doc-set.ts'

export function renderDocMarkdown(page: DocPage, docs: DocSet, baseUrl: string): string {
  const { title, description, url, changedOn } = page
  const facts = frontMatter({ title, description, url: baseUrl + url, lastmod: changedOn })
  return `${facts}\n\n> All documentation: ${baseUrl}/llms.txt\n\n${withAbsoluteLinks(page, docs, baseUrl)}`
}

/** In reading order, each page after a line with its address. */
export function llmsFull(docs: DocSet, baseUrl: string): string {
  const pages = docs.pages.map(
    (page) => `<!-- ${baseUrl}${page.url} -->\n\n${withAbsoluteLinks(page, docs, baseUrl).trim()}\n`,
  )
  return `# Turnleaf: all documentation\n\n> Every page of ${baseUrl}/docs in reading order, as one text.\n\n${pages.join('\n')}`
}

/** Links of text, not of code: lines within fences stay as they are. */
function withAbsoluteLinks(page: DocPage, docs: DocSet, baseUrl: string): string {
  let isCode = false
  const lines = page.text.split('\n').map((line) => {
    if (/^\s*```/.test(line)) isCode = !isCode
    if (isCode) return line
    return line.replace(/(?<!!)\[([^\]]*)\]\(([^)\s]+)\)/g, (_link, text: string, href: string) => {
      const target = targetOf(href, page, docs)
      if (target === null) return text
      return `[${text}](${target.kind === 'other' ? target.href : baseUrl + target.page.markdownUrl + target.anchor})`
    })
  })
  return lines.join('\n')
}
