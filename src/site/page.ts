/** A page as HTML and as markdown → its resources: one that negotiates, and the markdown under a name of its own. */
import { inlineSources, linkHeader, markdownFields, ownFiles, securityFields, type WebLink } from './headers.ts'
import { negotiate } from './negotiate.ts'
import { refusedFaces } from './problem-pages.ts'
import { lazily, type Representation, represent, type SiteHeaders } from './response.ts'

export type SitePage = {
  /** Its path, and that of its markdown. */
  readonly path: string
  readonly markdownPath: string
  readonly html: () => string
  readonly markdown: () => string
  readonly links: readonly WebLink[]
  /** Whether style and script are in the page itself. */
  readonly isInline: boolean
}

export type PageChoice = {
  readonly negotiated: (accept: string | undefined) => Representation
  readonly markdown: Representation
}

export const varyByAccept: SiteHeaders = { Vary: 'Accept' }

const types = {
  html: 'text/html; charset=utf-8',
  markdown: 'text/markdown; charset=utf-8',
  text: 'text/plain; charset=utf-8',
} as const

export function pageChoice(
  { path, markdownPath, html, markdown, links, isInline }: SitePage,
  baseUrl: string,
): PageChoice {
  const alternate = { href: `${baseUrl}${markdownPath}`, rel: 'alternate', type: 'text/markdown' }
  const markdownLink = linkHeader([...links, alternate, { href: `${baseUrl}${path}`, rel: 'canonical' }])
  const asMarkdown = (type: string, fields: SiteHeaders) =>
    lazily(() => {
      const text = markdown()
      return represent(type, text, { ...fields, Link: markdownLink, ...markdownFields(text) })
    })
  const negotiatedFields = { ...varyByAccept, 'Content-Location': markdownPath }
  const faces = {
    html: lazily(() => {
      const text = html()
      const sources = isInline ? inlineSources(text) : ownFiles
      const Link = linkHeader([...links, alternate])
      return represent(types.html, text, { ...varyByAccept, Link, ...securityFields(sources, baseUrl) })
    }),
    markdown: asMarkdown(types.markdown, negotiatedFields),
    text: asMarkdown(types.text, negotiatedFields),
  }
  const refused = refusedFaces(baseUrl)
  return {
    negotiated(accept) {
      const face = negotiate(accept)
      return face === null ? refused(accept) : faces[face]
    },
    markdown: asMarkdown(types.markdown, {}),
  }
}
