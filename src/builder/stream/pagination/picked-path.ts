/** A value picked from a response ↔ the condition under which its page is the last, and the path that a field reads. */
import { pathReadBy, writePath } from '../../../engine/template/syntax/path.ts'
import { linksOf } from '../../../engine/pagination/link-header.ts'
import { meaningsOf } from '../../../proof/names/claim-names.ts'
import { isObject } from '../../../std/values/objects.ts'

/**
 * `has_more: true` on a page → stop where it is not; `is_last: false` → stop where it is. A name that says neither is
 * judged by its value: the page that is picked from is rarely the last. A token or a link: stop where there is none.
 */
export function stopTemplate(path: readonly string[], value: unknown): string {
  const meanings = meaningsOf(path.at(-1) ?? '')
  const isEnd = meanings.some(({ kind }) => kind === 'is-last')
  const isMore = meanings.some(({ kind }) => kind === 'has-more')
  const endsWhenTrue = typeof value === 'boolean' && !isMore && (isEnd || !value)
  return `{{ ${endsWhenTrue ? '' : 'not '}${writePath(path)} }}`
}

/** The path that a template reads; null for one that does more. */
export function pathOfTemplate(template: unknown): readonly string[] | null {
  return typeof template === 'string' ? (pathReadBy(template)?.map(String) ?? null) : null
}

/** The path that a condition reads, denied or not. */
export function stopPath(condition: unknown): readonly string[] | null {
  return typeof condition === 'string' ? pathOfTemplate(condition.replace(/^\s*\{\{\s*not\b/u, '{{')) : null
}

/** What a cursor can be picked from, as templates name it. The links of a Link header are named by their relation. */
export function pickableParts(
  body: unknown,
  headers: Readonly<Record<string, string>>,
  lastRecord: unknown,
): Readonly<Record<string, unknown>> {
  const { link, ...others } = headers
  const links = Object.entries(linksOf(link)).map(([relation, { url }]) => [relation, { url }])
  return {
    response: body,
    headers: link === undefined ? others : { link: Object.fromEntries(links), ...others },
    ...(isObject(lastRecord) && { last_record: lastRecord }),
  }
}
