/** What an answer must hold besides its records, so that the engine goes on after it, or ends there. */
import type { Component } from '../../engine/manifest/manifest.ts'
import { headersForTemplates } from '../../engine/pagination/link-header.ts'
import { componentsIn, parametersOf, textIn } from './components.ts'
import { evaluate } from './evaluate.ts'
import { leavesOf } from './field-sources.ts'
import { bodyOf, isWithin, lastRecordReads, type Paging } from './paging.ts'
import { type Counts, countedAs } from './page-counts.ts'
import { type ShownPage, tokenOf } from './page-token.ts'
import { type Following, headerValues, quiet, turning } from './page-values.ts'
import { absent, type Path, placed } from './place.ts'
import { search } from './search.ts'
import { readsOf, type TemplateReads } from './template-reads.ts'

export type Wanted = Following & {
  /** The page as the manifest expects it. */
  readonly records: readonly unknown[]
  /** What is sent in its place, by an API that misbehaves. */
  readonly sends?: readonly unknown[]
  /** What there is to count, for an API that counts. */
  readonly counts?: Counts
  /** Tokens that lead to other pages: a walk that meets one again goes in circles. */
  readonly taken: ReadonlySet<string>
  /** What must ask for the next page, where it was asked for before. */
  readonly token?: string | undefined
}

export type PageShape = {
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>
  /** Of the next page; empty when there is none. */
  readonly token: string
}

/** The answer that makes the engine do as wanted; null when none is found. */
export function pageShape(paging: Paging, wanted: Wanted): PageShape | null {
  const { bodyLeaves, headerLeaves, lastLeaves, constants, isPaging } = analyse(paging, wanted)
  const candidates = [
    ...bodyLeaves.map((path) =>
      isPaging(path) ? [...countedAs(path, wanted), ...turning(constants, wanted, paging.isLink)] : quiet(constants),
    ),
    ...headerLeaves.map((name) => headerValues(name, wanted)),
    ...lastLeaves.map(() => [kept, absent, null, '']),
  ]
  const made = (chosen: readonly unknown[], page: readonly unknown[]) => {
    const inHeaders = chosen.slice(bodyLeaves.length)
    const records = withLast(page, lastLeaves, inHeaders.slice(headerLeaves.length))
    const body = bodyLeaves.reduce(
      (known: unknown, path, index) => placed(known, path, chosen[index]),
      bodyOf(paging, records),
    )
    const headers = headerLeaves.flatMap((name, index) =>
      inHeaders[index] === absent ? [] : [[name, String(inHeaders[index])]],
    )
    return { body, headers: Object.fromEntries(headers) as Record<string, string>, records }
  }
  const isFree = (token: string) => (wanted.token === undefined ? !wanted.taken.has(token) : token === wanted.token)
  const isAsWanted = (token: string) => (token === '' ? !wanted.goesOn : wanted.goesOn && isFree(token))
  const hasNoToken = paging.strategy?.type !== 'CursorPagination'
  const chosen = search(candidates, (tried) => {
    const page = made(tried, wanted.records)
    return isQuiet(paging, page) && (hasNoToken || isAsWanted(tokenOf(paging, page)))
  })
  if (chosen === null) return null
  const { body, headers } = made(chosen, wanted.sends ?? wanted.records)
  return { body, headers, token: tokenOf(paging, made(chosen, wanted.records)) }
}

const kept = Symbol('kept')

function withLast(
  records: readonly unknown[],
  leaves: readonly Path[],
  values: readonly unknown[],
): readonly unknown[] {
  if (records.length === 0) return records
  const last = leaves.reduce(
    (record, path, index) => (values[index] === kept ? record : placed(record, path, values[index])),
    records.at(-1),
  )
  return last === records.at(-1) ? records : [...records.slice(0, -1), last]
}

function analyse(paging: Paging, { goesOn }: Wanted) {
  const { requester, strategy, config, recordsAt, isSingle } = paging
  const known = {
    config,
    parameters: { ...parametersOf(requester), ...(strategy === null ? {} : parametersOf(strategy)) },
  }
  const turningReads = ['cursor_value', 'stop_condition', 'page_size'].map((field) =>
    readsOf(textIn(strategy, field), known),
  )
  const rules = predicatesOf(requester).map((rule) => readsOf(textIn(rule, 'predicate'), known))
  const all = [...turningReads, ...rules]
  const pagingPaths = new Set(pathsFrom(turningReads, 'response').map((path) => JSON.stringify(path)))
  const isRecords = (path: Path) =>
    recordsAt.length > 0 &&
    !isSingle &&
    (isWithin(path, recordsAt) || isWithin(recordsAt, path) || JSON.stringify(path) === JSON.stringify(recordsAt))
  return {
    bodyLeaves: leavesOf(pathsFrom(all, 'response').filter((path) => !isRecords(path))),
    headerLeaves: [...new Set(pathsFrom(all, 'headers').map(([name]) => String(name).toLowerCase()))],
    lastLeaves: goesOn ? [] : lastRecordReads(paging),
    constants: all
      .flatMap(({ constants }) => constants)
      .map((value) => (typeof value === 'bigint' ? Number(value) : value)),
    isPaging: (path: Path) => pagingPaths.has(JSON.stringify(path)),
  }
}

function pathsFrom(found: readonly TemplateReads[], root: string): Path[] {
  return found.flatMap(({ reads }) =>
    reads.filter((read) => read.root === root && read.path.length > 0).map(({ path }) => path),
  )
}

/** Rules that would make a good answer a bad one. */
function predicatesOf(requester: Component): Component[] {
  return componentsIn(requester.error_handler).filter(
    ({ type, predicate, action }) =>
      type === 'HttpResponseFilter' && typeof predicate === 'string' && action !== 'SUCCESS',
  )
}

function isQuiet({ requester, config }: Paging, { body, headers }: ShownPage): boolean {
  const scope = { config, response: body, headers: headersForTemplates(headers) }
  return predicatesOf(requester).every(
    (rule) => evaluate(textIn(rule, 'predicate'), { ...scope, parameters: parametersOf(rule) }, 'boolean') !== true,
  )
}
