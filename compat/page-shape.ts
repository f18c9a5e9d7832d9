/** What an answer must hold besides its records, so that the engine goes on after it, or ends there. */
import type { Component } from '../src/engine/manifest/manifest.ts'
import { headersForTemplates } from '../src/engine/pagination/headers.ts'
import { isTruthy, pythonText } from '../src/engine/template/text.ts'
import { componentsIn, parametersOf } from './components.ts'
import type { Config } from './config.ts'
import { evaluate } from './evaluate.ts'
import { leavesOf } from './fit-record.ts'
import { absent, placed } from './place.ts'
import { search } from './search.ts'
import { type Path, readsOf, type TemplateReads } from './template-reads.ts'

export type Paging = {
  readonly requester: Component
  readonly strategy: Component | null
  /** The next page is asked for by its address. */
  readonly isLink: boolean
  readonly config: Config
  /** Where the records are in the body. */
  readonly recordsAt: Path
}

export type Wanted = {
  readonly goesOn: boolean
  readonly page: number
  readonly link: string
  /** The body with its records, and the last of them. */
  readonly body: unknown
  readonly last: unknown
  readonly count: number
}

export type PageShape = { readonly body: unknown; readonly headers: Readonly<Record<string, string>> }

/** Marks the token of a page, wherever a request carries it. */
export function pageMark(page: number): string {
  return `leaf-${page}-mark`
}

/** The body and headers that make the engine do as wanted; null when none is found. */
export function pageShape(paging: Paging, wanted: Wanted): PageShape | null {
  const analysed = analyse(paging)
  const bodyLeaves = analysed.bodyLeaves.filter((path) => !overlaps(path, paging.recordsAt))
  const candidates = [
    ...bodyLeaves.map((path) =>
      analysed.isPaging(path) ? values(analysed, wanted, paging.isLink) : quietValues(analysed),
    ),
    ...analysed.headerLeaves.map((name) => headerValues(name, wanted)),
  ]
  const made = (chosen: readonly unknown[]): PageShape => ({
    body: bodyLeaves.reduce((body: unknown, path, index) => placed(body, path, chosen[index]), wanted.body),
    headers: Object.fromEntries(
      analysed.headerLeaves.flatMap((name, index) => {
        const value = chosen[bodyLeaves.length + index]
        return value === absent ? [] : [[name, String(value)]]
      }),
    ),
  })
  const chosen = search(candidates, (tried) => isAsWanted(paging, wanted, made(tried)))
  return chosen === null ? null : made(chosen)
}

type Analysed = {
  readonly bodyLeaves: readonly Path[]
  readonly headerLeaves: readonly string[]
  readonly constants: readonly unknown[]
  readonly isPaging: (path: Path) => boolean
}

function analyse({ requester, strategy, config }: Paging): Analysed {
  const known = {
    config,
    parameters: { ...parametersOf(requester), ...(strategy === null ? {} : parametersOf(strategy)) },
  }
  const paging = [strategy?.cursor_value, strategy?.stop_condition, strategy?.page_size]
    .filter((text) => typeof text === 'string')
    .map((text) => readsOf(text, known))
  const rules = predicatesOf(requester).map(({ predicate }) => readsOf(String(predicate), known))
  const all = [...paging, ...rules]
  const pagingPaths = new Set(pathsFrom(paging, 'response').map((path) => JSON.stringify(path)))
  return {
    bodyLeaves: leavesOf(pathsFrom(all, 'response')),
    headerLeaves: [...new Set(pathsFrom(all, 'headers').map(([name]) => String(name).toLowerCase()))],
    constants: all
      .flatMap(({ constants }) => constants)
      .map((value) => (typeof value === 'bigint' ? Number(value) : value)),
    isPaging: (path) => pagingPaths.has(JSON.stringify(path)),
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

function overlaps(path: Path, records: Path): boolean {
  return records.length > 0 && path.slice(0, records.length).every((key, index) => key === records[index])
}

/** For a rule about errors: nothing, or what it compares with. */
function quietValues({ constants }: Analysed): unknown[] {
  return [absent, ...constants, null, '', 0, 1, true, false, 200, 'ok', 'success', [], {}]
}

function values({ constants }: Analysed, { goesOn, page, link }: Wanted, isLink: boolean): unknown[] {
  if (!goesOn) return [null, absent, '', false, true, 0, page, 1, ...constants, [], {}, 3, 1000]
  const named = constants.flatMap((text) =>
    typeof text === 'string' ? [...text.matchAll(/(\w+)=/g)].map(([, name]) => name) : [],
  )
  const links = [
    link,
    ...named.flatMap((name) => [
      withQuery(link, `${name}`, pageMark(page + 1)),
      withQuery(link, `${name}`, String(page + 1)),
    ]),
  ]
  const first = isLink ? [...links, pageMark(page + 1)] : [pageMark(page + 1), ...links]
  return [
    ...first,
    true,
    false,
    page + 1,
    page,
    3,
    1,
    1000,
    ...constants,
    { href: link },
    [{ rel: 'next', href: link, url: link }],
    absent,
    null,
  ]
}

function withQuery(link: string, name: string, value: string): string {
  const url = new URL(link)
  url.searchParams.set(name, value)
  return url.href
}

function headerValues(name: string, { goesOn, page, link }: Wanted): unknown[] {
  if (name === 'link') return goesOn ? [`<${link}>; rel="next"`] : [`<${link}>; rel="prev"`, absent]
  return goesOn
    ? [pageMark(page + 1), link, String(page + 1), 'true', '3', '1000', absent]
    : [absent, '', 'false', '0', '1', String(page)]
}

function isAsWanted(paging: Paging, wanted: Wanted, { body, headers }: PageShape): boolean {
  const { config, strategy, requester } = paging
  const response = Array.isArray(body) ? ((body[0] as unknown) ?? {}) : body
  const scope = { config, response, headers: headersForTemplates(headers) }
  const rulesAreQuiet = predicatesOf(requester).every(
    (rule) =>
      evaluate(String(rule.predicate), { ...scope, response: body, parameters: parametersOf(rule) }, 'boolean') !==
      true,
  )
  if (!rulesAreQuiet) return false
  if (strategy?.type !== 'CursorPagination') return true
  const { count, last } = wanted
  const pageScope = {
    ...scope,
    parameters: parametersOf(strategy),
    last_page_size: count,
    last_record: last ?? null,
    last_records: last === undefined ? [] : [last],
  }
  const stops =
    typeof strategy.stop_condition === 'string' && evaluate(strategy.stop_condition, pageScope, 'boolean') === true
  if (stops) return !wanted.goesOn
  const token = evaluate(String(strategy.cursor_value), pageScope)
  if (!wanted.goesOn) return !isTruthy(token)
  return isTruthy(token) && (!paging.isLink || isAddress(pythonText(token), wanted.link))
}

function isAddress(token: string, from: string): boolean {
  try {
    return /^(?:https?:|\/|\?|[\w-]+[/?])/.test(token) && new URL(token, from).protocol.startsWith('http')
  } catch {
    return false
  }
}
