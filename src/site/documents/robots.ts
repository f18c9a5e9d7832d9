/** Facts → robots.txt, sitemap.xml and security.txt. */
import type { SiteFacts } from '../facts.ts'
import type { DocSet } from '../docs/doc-set.ts'
import { contentSignal } from '../headers.ts'

/** Crawlers that look for their own name. They get the same rules as all others. */
const namedAgents = [
  'GPTBot',
  'OAI-SearchBot',
  'ChatGPT-User',
  'ClaudeBot',
  'Claude-User',
  'Claude-SearchBot',
  'Google-Extended',
  'Applebot-Extended',
  'PerplexityBot',
  'Perplexity-User',
  'Bytespider',
  'CCBot',
  'Amazonbot',
  'meta-externalagent',
]

const rules = [`Content-Signal: ${contentSignal}`, 'Allow: /']

export function robots({ baseUrl }: SiteFacts): string {
  const everybody = ['User-agent: *', ...rules]
  const named = [...namedAgents.map((name) => `User-agent: ${name}`), ...rules]
  return `${[...everybody, '', ...named, '', `Sitemap: ${baseUrl}/sitemap.xml`].join('\n')}\n`
}

export function sitemap({ baseUrl }: SiteFacts, { pages }: DocSet, homepageChangedOn: string | undefined): string {
  // An origin and the name of a file hold no character that XML reserves.
  const entry = (path: string, changedOn: string | undefined) =>
    `  <url><loc>${baseUrl}${path}</loc>${changedOn === undefined ? '' : `<lastmod>${changedOn}</lastmod>`}</url>`
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${[entry('/', homepageChangedOn), ...pages.map(({ url, changedOn }) => entry(url, changedOn))].join('\n')}
</urlset>
`
}

/** The RFC advises less than a year; a restart renews it. */
const validDays = 300

/** The operator of this copy is not known, so its address is the only contact. */
export function securityText({ baseUrl }: SiteFacts, now: Date): string {
  const expires = new Date(now.getTime() + validDays * 86_400_000)
  return `# This copy of Turnleaf is run by the operator of ${baseUrl}. Report vulnerabilities to them.
Contact: ${baseUrl}/
Expires: ${expires.toISOString().replace(/\.\d+Z$/, 'Z')}
Preferred-Languages: en
Canonical: ${baseUrl}/.well-known/security.txt
`
}
