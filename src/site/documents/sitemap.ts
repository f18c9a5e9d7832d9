/** Facts → sitemap.xml: the one page for people. It has no `lastmod`, because nobody here knows it. */
import type { SiteFacts } from '../facts.ts'

export function sitemap({ baseUrl }: SiteFacts): string {
  // An origin holds no character that XML reserves.
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url><loc>${baseUrl}/</loc></url>
</urlset>
`
}
