/** Addresses and version → the homepage, as HTML and as markdown that say the same. */
import type { SiteFacts } from '../facts.ts'
import { contentOf } from './content.ts'
import { renderHtml } from './html.ts'
import { renderMarkdown } from './markdown.ts'

/** @example const { html, markdown } = homepage({ baseUrl: 'https://turnleaf.example', apiUrl, version: '0.1.0' }) */
export function homepage(facts: SiteFacts): { html: string; markdown: string } {
  const content = contentOf(facts)
  return { html: renderHtml(content, facts), markdown: renderMarkdown(content, facts) }
}
