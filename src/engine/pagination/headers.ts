/** Response headers → what cursor templates see, Link header parsed. */
import LinkHeader from 'http-link-header'
import { HeaderDict } from '../template/host.ts'

export function headersForTemplates(headers: Readonly<Record<string, string>>): HeaderDict {
  return new HeaderDict(headers, linksOf(headers.link))
}

/**
 * `<…?page=2>; rel="next"` → `{ next: { url, rel } }`, keyed by each relation, or by address where none is named.
 * RFC 8288 allows several relations in one link; Airbyte knows them only joined, so both spellings are kept.
 */
export function linksOf(header: string | undefined): Record<string, Record<string, string>> {
  const links: Record<string, Record<string, string>> = {}
  if (header === undefined || header.trim() === '') return links
  for (const { uri, rel, ...attributes } of parseLinks(header)) {
    const link = { url: uri, ...texts(attributes), ...(rel !== undefined && rel !== '' && { rel }) }
    const names = rel ? [rel, ...rel.split(/\s+/)] : [uri]
    for (const name of names) links[name] ??= link
  }
  return links
}

function parseLinks(header: string): LinkHeader.Reference[] {
  try {
    return LinkHeader.parse(header).refs
  } catch {
    // A header nobody can read names no next page; the stop reason will say so.
    return []
  }
}

function texts(attributes: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(attributes).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}
