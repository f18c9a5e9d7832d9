/** The homepage's HTML → the headers that keep anything else from running or loading in it. */
import { createHash } from 'node:crypto'
import type { Fields } from './answer.ts'

/** Inline styles and scripts are allowed by their hashes, taken from the very page that is sent. */
export function securityFields(html: string, baseUrl: string): Fields {
  const policy = [
    "default-src 'none'",
    `style-src ${hashesOf(html, 'style')}`,
    `script-src ${hashesOf(html, 'script')}`,
    "img-src 'self' data:",
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
