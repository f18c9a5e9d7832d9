/** Addresses, version and docs → the homepage, as HTML and as markdown that say the same. */
import type { DocSection } from '../docs/doc-set.ts'
import type { SiteFacts } from '../facts.ts'
import { contentOf } from './content.ts'
import { renderHtml } from './html.ts'
import { renderMarkdown } from './markdown.ts'

/** @example const { html, markdown } = homepage({ baseUrl: 'https://turnleaf.example', apiUrl, version: '0.1.0' }, docs.sections) */
export function homepage(facts: SiteFacts, sections: readonly DocSection[]): { html: string; markdown: string } {
  const content = contentOf(facts, sections)
  return { html: renderHtml(content, facts), markdown: renderMarkdown(content, facts) }
}
