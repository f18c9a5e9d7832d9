/** The docs → what is served under /docs, and the files their pages load. Each is rendered when it is first requested. */
import type { SiteFacts } from '../facts.ts'
import type { WebLink } from '../headers.ts'
import { pageChoice, type PageChoice } from '../page.ts'
import { lazily, type Representation, represent } from '../response.ts'
import { llmsFull, renderDocMarkdown } from './doc-markdown.ts'
import { renderDocPage } from './doc-page.ts'
import type { DocSet } from './doc-set.ts'
import { docStyle } from './doc-styles.ts'
import type { SiteFiles } from './read-docs.ts'
import { searchIndex } from './search-index.ts'

export type DocResources = {
  readonly pages: readonly { readonly url: string; readonly markdownUrl: string; readonly choice: PageChoice }[]
  readonly files: readonly (readonly [path: string, representation: Representation])[]
}

export function docResources(
  docs: DocSet,
  { scripts, search }: SiteFiles,
  facts: SiteFacts,
  links: readonly WebLink[],
): DocResources {
  const { baseUrl } = facts
  return {
    pages: docs.pages.map((page) => ({
      url: page.url,
      markdownUrl: page.markdownUrl,
      choice: pageChoice(
        {
          path: page.url,
          markdownPath: page.markdownUrl,
          html: () => renderDocPage(page, docs, facts),
          markdown: () => renderDocMarkdown(page, docs, baseUrl),
          links,
          isInline: false,
        },
        baseUrl,
      ),
    })),
    files: [
      ['/llms-full.txt', lazily(() => represent('text/plain; charset=utf-8', llmsFull(docs, baseUrl)))],
      ['/docs/search.json', lazily(() => represent('application/json', search ?? searchIndex(docs)))],
      ['/site/docs.css', lazily(() => represent('text/css; charset=utf-8', docStyle))],
      ...[...scripts].map(
        ([name, text]) => [`/site/${name}`, lazily(() => represent('text/javascript; charset=utf-8', text))] as const,
      ),
    ],
  }
}
