/** Response headers → what cursor templates see, Link header parsed. */
import { HeaderDict } from '../template/host.ts'

export function headersForTemplates(headers: Readonly<Record<string, string>>): HeaderDict {
  return new HeaderDict(headers, linksOf(headers.link))
}

type Link = { readonly [attribute: string]: string }

/**
 * `<…?page=2>; rel="next"` → `{ next: { url, rel } }`, keyed by each relation, or by address where none is named.
 * RFC 8288 allows several relations in one link; Airbyte knows them only joined, so both spellings are kept.
 */
export function linksOf(header: string | undefined): Record<string, Link> {
  const links: Record<string, Link> = {}
  for (const link of parseLinks(header ?? '')) {
    const { rel = '', url = '' } = link
    // RFC 8288 §3.3: relation types ignore case.
    const names = rel === '' ? [url] : [rel, ...rel.split(/\s+/), ...rel.toLowerCase().split(/\s+/)]
    for (const name of names) links[name] ??= link
  }
  return links
}

/**
 * Read leniently, since a missed link ends pagination silently: single quotes, stray commas, a parameter that
 * makes no sense and missing brackets do not hide the next page. Commas and semicolons within `<…>` belong to the address.
 */
function parseLinks(header: string): Link[] {
  const bracketed = [...header.matchAll(/<([^>]*)>((?:"(?:[^"\\]|\\.)*"|[^<"])*)/g)]
  if (bracketed.length > 0)
    return bracketed.map(([, url = '', rest = '']) => ({ ...attributesIn(rest), url: url.trim() }))
  const bare = header.split(',').map((part) => /^\s*([^\s;]+)\s*(;.*)$/s.exec(part))
  return bare.flatMap((found) => (found === null ? [] : [{ ...attributesIn(found[2] ?? ''), url: found[1] ?? '' }]))
}

function attributesIn(text: string): Record<string, string> {
  const attributes: Record<string, string> = {}
  const pattern = /;\s*([^\s=;,"']+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([^\s;,"']*))/g
  for (const [, name = '', double, single, plain] of text.matchAll(pattern)) {
    attributes[name.toLowerCase()] ??= double ?? single ?? plain ?? ''
  }
  return attributes
}
