/** What is known of a read → the rows of its timeline: other requests, slices, pages, what is awaited. */
import { isObject } from '../../../std/values/objects.ts'
import { stringifyJson } from '../../../std/json.ts'
import type { ReadPage } from '../../../server/wire/test-read.ts'
import type { AskedPage, Auxiliary, ReadSlice, ReadState, Try } from '../read-state.ts'

export type TimelineRow = { readonly id: string; readonly level: 1 | 2; readonly isOpen: boolean | null } & (
  | { readonly kind: 'auxiliaries'; readonly auxiliaries: readonly Auxiliary[] }
  | { readonly kind: 'auxiliary'; readonly auxiliary: Auxiliary }
  | { readonly kind: 'slice'; readonly label: string; readonly pages: readonly ReadPage[] }
  | { readonly kind: 'page'; readonly page: ReadPage }
  | { readonly kind: 'try'; readonly page: number; readonly auxiliary: Auxiliary }
  | { readonly kind: 'asked'; readonly asked: AskedPage }
)

/** @param turned what was opened although it starts folded, and the other way round. */
export function timelineRows(read: ReadState, turned: ReadonlySet<string>): TimelineRow[] {
  return [...auxiliaryRows(read.auxiliaries, turned), ...sliceRows(read, turned)]
}

export const tryRowId = ({ slice, auxiliary }: Pick<Try, 'slice' | 'auxiliary'>) => `try-${slice}-${auxiliary.at}`
export const pageRowId = ({ slice, page }: { slice: number; page: number }) => `page-${slice}-${page}`

/** Of interest only when something is wrong with them: they start folded. */
function auxiliaryRows(auxiliaries: readonly Auxiliary[], turned: ReadonlySet<string>): TimelineRow[] {
  if (auxiliaries.length === 0) return []
  const id = 'auxiliaries'
  const isOpen = turned.has(id)
  const rows = auxiliaries.map((auxiliary, index): TimelineRow => {
    return { kind: 'auxiliary', id: `auxiliary-${index}`, level: 2, isOpen: null, auxiliary }
  })
  return [{ kind: 'auxiliaries', id, level: 1, isOpen, auxiliaries }, ...(isOpen ? rows : [])]
}

function sliceRows({ slices, pages, tries, asked }: ReadState, turned: ReadonlySet<string>): TimelineRow[] {
  if (slices.length < 2) return pageRows({ pages, tries, asked }, 1)
  const bySlice = pagesBySlice(pages)
  return slices.flatMap(({ slice, descriptor }): TimelineRow[] => {
    const id = `slice-${slice}`
    const isOpen = !turned.has(id)
    const own = bySlice.get(slice) ?? []
    const waitedFor = asked?.slice === slice ? asked : null
    const failed = tries.filter((one) => one.slice === slice)
    return [
      { kind: 'slice', id, level: 1, isOpen, label: sliceLabel({ slice, descriptor }), pages: own },
      ...(isOpen ? pageRows({ pages: own, tries: failed, asked: waitedFor }, 2) : []),
    ]
  })
}

function pagesBySlice(pages: readonly ReadPage[]): ReadonlyMap<number, readonly ReadPage[]> {
  const bySlice = new Map<number, ReadPage[]>()
  for (const page of pages) {
    const own = bySlice.get(page.slice)
    if (own === undefined) bySlice.set(page.slice, [page])
    else own.push(page)
  }
  return bySlice
}

type Pages = Pick<ReadState, 'pages' | 'tries' | 'asked'>

/** A page that came at the third attempt is shown below the other two. */
function pageRows({ pages, tries, asked }: Pages, level: 1 | 2): TimelineRow[] {
  const came = pages.map((page): TimelineRow => ({ kind: 'page', id: pageRowId(page), level, isOpen: null, page }))
  const failed = tries.map(({ slice, page, auxiliary }): TimelineRow => {
    return { kind: 'try', id: tryRowId({ slice, auxiliary }), level, isOpen: null, page, auxiliary }
  })
  const rows = failed.length === 0 ? came : [...failed, ...came].toSorted((one, other) => pageOf(one) - pageOf(other))
  return asked === null ? rows : [...rows, { kind: 'asked', id: 'asked', level, isOpen: null, asked }]
}

function pageOf(row: TimelineRow): number {
  if (row.kind === 'page') return row.page.page
  return row.kind === 'try' ? row.page : 0
}

/** `customer 7, from 2026-01-01 to 2026-01-31`: names and values, as in the slice. */
export function sliceLabel({ slice, descriptor }: ReadSlice): string {
  // Of a parent without slices of its own, Airbyte's slices say that too: `parent_slice: {}`.
  const members = Object.entries(descriptor ?? {}).filter(
    ([, value]) => !isObject(value) || Object.keys(value).length > 0,
  )
  if (members.length === 0) return `slice ${slice + 1}`
  return members
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : stringifyJson(value)}`)
    .join(', ')
}
