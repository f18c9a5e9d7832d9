/** What asks for the next page → whether it counts records or pages, so that rows which move slip past it. */
import type { Page } from '../engine/pages/page.ts'

/** An opaque cursor stands by a record and stays there. A link that the API gave out may count all the same: `?$skip=100`. */
export function isCounted(token: Page['next']): boolean {
  const link = token?.url ?? token?.value
  const start = typeof link === 'string' ? link.indexOf('?') : -1
  if (start < 0) return false
  const query = new URLSearchParams((link as string).slice(start + 1))
  return [...query].some(([name, value]) => /^\d{1,9}$/.test(value) && (isPageNumber(name) || isOffset(name)))
}

/** `page`, `page[number]`, `pageNumber`, `p`; not `per_page`, `page[size]` or `page[after]`. */
export function isPageNumber(name: string): boolean {
  return /^(p|pg|page|pagenumber|pageno|pageindex|pagenum|currentpage)$/.test(letters(name))
}

/** `offset`, `$skip`, `startIndex` */
export function isOffset(name: string): boolean {
  return /^(offset|skip|start|startat|startindex|from|pageoffset)$/.test(letters(name))
}

function letters(name: string): string {
  return name.replace(/[^A-Za-z]/g, '').toLowerCase()
}
