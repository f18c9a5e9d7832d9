/** A link on a page of the docs → where it leads on the site. */
import type { DocPage, DocSet } from './doc-set.ts'

/** null: a file of the repository that is not served. */
export type DocTarget =
  | { readonly kind: 'page'; readonly page: DocPage; readonly anchor: string }
  | { readonly kind: 'other'; readonly href: string }
  | null

export function targetOf(href: string, from: DocPage, { byPath }: DocSet): DocTarget {
  if (/^https?:\/\//.test(href)) return { kind: 'other', href }
  if (/^[a-z][a-z+.-]*:/i.test(href)) return null
  const [file = '', anchor = ''] = href.split('#')
  const suffix = anchor === '' ? '' : `#${anchor}`
  if (file === '') return { kind: 'page', page: from, anchor: suffix }
  const page = byPath.get(resolvePath(file, from.path).replace(/\.md$/, ''))
  return page === undefined ? null : { kind: 'page', page, anchor: suffix }
}

/** `../sync.md` on `decisions/README` → `sync.md`. */
function resolvePath(file: string, from: string): string {
  const parts = from.split('/').slice(0, -1)
  for (const part of file.split('/')) {
    if (part === '..') parts.push('..')
    else if (part !== '.') parts.push(part)
  }
  const resolved: string[] = []
  for (const part of parts) {
    if (part === '..' && resolved.length > 0 && resolved.at(-1) !== '..') resolved.pop()
    else resolved.push(part)
  }
  return resolved.join('/')
}
