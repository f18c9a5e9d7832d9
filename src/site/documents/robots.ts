/** Facts → robots.txt: everybody may read everything here. */
import type { SiteFacts } from '../facts.ts'

/** Crawlers that look for their own name. They are told what everybody is told. */
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

/** Search and answers yes, training no: what is given away here cannot be taken back, so the owner opens it, not we. */
const rules = ['Content-Signal: search=yes, ai-input=yes, ai-train=no', 'Allow: /']

export function robots({ baseUrl }: SiteFacts): string {
  const everybody = ['User-agent: *', ...rules]
  const named = [...namedAgents.map((name) => `User-agent: ${name}`), ...rules]
  return `${[...everybody, '', ...named, '', `Sitemap: ${baseUrl}/sitemap.xml`].join('\n')}\n`
}
