/** What every page has in its head. */
import { escape } from '../markup.ts'
import { paper } from '../tokens.ts'

export type PageHead = SharedPage & {
  readonly baseUrl: string
  /** The address of the same page as markdown. */
  readonly markdownUrl: string
  /** As the browser's tab shows it. */
  readonly tab: string
}

export function headLines({ baseUrl, markdownUrl, tab, ...page }: PageHead): string {
  const url = escape(baseUrl)
  return `<meta charset="utf-8">
<title>${escape(tab)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${escape(page.description)}">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="${paper.light}">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="${paper.dark}">
<link rel="canonical" href="${escape(page.url)}">
<link rel="alternate" type="text/markdown" href="${escape(markdownUrl)}" title="This page as markdown">
<link rel="alternate" type="text/plain" href="${url}/llms.txt" title="Index for language models">
<link rel="api-catalog" type="application/linkset+json" href="${url}/.well-known/api-catalog">
<link rel="service-desc" type="application/json" href="${url}/openapi.json">
<link rel="icon" type="image/svg+xml" href="/favicon.svg">
${openGraph(page)}`
}

/** What chats and social networks show of a link. */
type SharedPage = {
  readonly title: string
  readonly description: string
  readonly url: string
  readonly image?: { readonly url: string; readonly width: number; readonly height: number; readonly alt: string }
}

function openGraph({ title, description, url, image }: SharedPage): string {
  const tags = {
    'og:type': 'website',
    'og:site_name': 'Turnleaf',
    'og:title': title,
    'og:description': description,
    'og:url': url,
    ...(image !== undefined && {
      'og:image': image.url,
      'og:image:width': String(image.width),
      'og:image:height': String(image.height),
      'og:image:alt': image.alt,
    }),
  }
  const lines = Object.entries(tags).map(([name, value]) => `<meta property="${name}" content="${escape(value)}">`)
  return [
    ...lines,
    `<meta name="twitter:card" content="${image === undefined ? 'summary' : 'summary_large_image'}">`,
  ].join('\n')
}
