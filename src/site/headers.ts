/** Header fields of pages: what a browser may load, where else to look, what markdown may be used for. */
import { createHash } from 'node:crypto'
import type { SiteHeaders } from './response.ts'

/** Search and answers: yes; training: no. It cannot be undone, so it is left to the owner of the site. */
export const contentSignal = 'search=yes, ai-input=yes, ai-train=no'

/** Inline styles and scripts are allowed by their hashes, taken from the very page that is sent. */
export function inlineSources(html: string): PageSources {
  return { style: hashesOf(html, 'style'), script: hashesOf(html, 'script') }
}

/** Nothing inline: files of this site only. */
export const ownFiles: PageSources = { style: "'self'", script: "'self'" }

export type PageSources = { readonly style: string; readonly script: string }

export function securityFields({ style, script }: PageSources, baseUrl: string): SiteHeaders {
  const policy = [
    "default-src 'none'",
    `style-src ${style}`,
    `script-src ${script}`,
    "img-src 'self' data:",
    // Scanners in the page read robots.txt and llms.txt through it.
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]
  return {
    'Content-Security-Policy': policy.join('; '),
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'X-Frame-Options': 'DENY',
    // Browsers ignore it over http, and it would be a lie there.
    ...(baseUrl.startsWith('https:') && { 'Strict-Transport-Security': 'max-age=31536000' }),
  }
}

function hashesOf(html: string, element: 'style' | 'script'): string {
  const found = [...html.matchAll(new RegExp(`<${element}\\b([^>]*)>(.*?)</${element}>`, 'gis'))]
    // JSON-LD is data; no browser runs it, and none asks for its hash.
    .filter(([, attributes = '']) => !attributes.includes('application/ld+json'))
    .map(([, , text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)
  return found.length === 0 ? "'none'" : [...new Set(found)].join(' ')
}

/** Conventions of Cloudflare's markdown for agents. Four characters are about one token of English and code. */
export function markdownFields(markdown: string): SiteHeaders {
  return { 'X-Markdown-Tokens': String(Math.ceil(markdown.length / 4)), 'Content-Signal': contentSignal }
}

export type WebLink = { readonly href: string; readonly rel: string; readonly type?: string }

export function linkHeader(links: readonly WebLink[]): string {
  return links
    .map(({ href, rel, type }) => `<${href}>; rel="${rel}"${type === undefined ? '' : `; type="${type}"`}`)
    .join(', ')
}
