/** A page → the tags that chats and social networks show a link with. */
import { escape } from './markup.ts'

export type SharedPage = {
  readonly title: string
  readonly description: string
  readonly url: string
  readonly image?: { readonly url: string; readonly width: number; readonly height: number; readonly alt: string }
}

export function openGraph({ title, description, url, image }: SharedPage): string {
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
