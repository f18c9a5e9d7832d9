/** Names to try for what asks for a page size: those that an API shows first, then the usual ones. */
import { isUrl } from '../../is-url.ts'
import { isObject } from '../../members.ts'
import { envelopesIn } from '../envelopes.ts'
import { isNameOf } from '../paging-names.ts'
import { cursorPlacesIn } from './cursor-places.ts'
import type { WalkedPage } from './walked-page.ts'

const usual = [
  'limit',
  'per_page',
  'page_size',
  'pageSize',
  'size',
  'count',
  'perPage',
  'max_results',
  'page[size]',
  'take',
  'rows',
]

export function sizeNames(page: WalkedPage, recordPath: readonly string[] | null): string[] {
  return [...new Set([...inLinks(page, recordPath), ...echoed(page, recordPath), ...usual])]
}

/** A next link carries the size that it was made with. */
function inLinks(page: WalkedPage, recordPath: readonly string[] | null): string[] {
  if (!isUrl(page.request.url)) return []
  return cursorPlacesIn(page, recordPath).flatMap(({ isLink, value }) => {
    if (!isLink || !isUrl(String(value), page.request.url)) return []
    return [...new URL(String(value), page.request.url).searchParams.keys()].filter((name) => isNameOf('size', name))
  })
}

/** An envelope that says `"per_page": 20` is likely to be asked with `per_page`. */
function echoed({ answer, received }: WalkedPage, recordPath: readonly string[] | null): string[] {
  const envelopes = answer === null ? [] : envelopesIn(answer.body, recordPath)
  return envelopes.flatMap(({ members }) =>
    Object.keys(members).filter(
      (name) => isNameOf('size', name) && !isObject(members[name]) && Number(members[name]) === received,
    ),
  )
}
