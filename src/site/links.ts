/** Typed links → the value of a Link header (RFC 8288). */

export type WebLink = { readonly href: string; readonly rel: string; readonly type?: string }

export function linkHeader(links: readonly WebLink[]): string {
  return links
    .map(({ href, rel, type }) => `<${href}>; rel="${rel}"${type === undefined ? '' : `; type="${type}"`}`)
    .join(', ')
}
