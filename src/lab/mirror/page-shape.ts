/** What a response must hold in addition to its records so that the engine continues, or ends. */
import type { Component } from '../../engine/manifest/manifest.ts'
import { headersForTemplates } from '../../engine/pagination/link-header.ts'
import { isTruthy, pythonText } from '../../engine/template/text.ts'
import { meaningsOf } from '../../proof/names/claim-names.ts'
import { parametersOf } from '../../engine/plan/read-fields.ts'
import { componentsInside, textField } from './find-components.ts'
import { evaluateAtFixedTime } from './evaluate-at-fixed-time.ts'
import { leavesOf } from './field-sources.ts'
import { pageBody, isWithin, lastRecordReads, type Paging } from './paging.ts'
import { absent, type MirrorPath, putValue } from './put-value.ts'
import { findCombination } from './find-combination.ts'
import { readsOf, type TemplateReads } from './template-reads.ts'

export type MirroredPage = Following & {
  /** The page as the manifest expects it. */
  readonly records: readonly unknown[]
  /** What is sent in its place, by an API that misbehaves. */
  readonly sends?: readonly unknown[]
  /** What there is to count, for an API that counts. */
  readonly counts?: Counts
  /** Tokens that lead to other pages: a read that meets one again is a loop. */
  readonly taken: ReadonlySet<string>
  /** The token of the next page, where it was given out before. */
  readonly token?: string | undefined
}

export type PageShape = {
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>
  /** Of the next page; empty when there is none. */
  readonly token: string
}

/** The response that makes the engine do as wanted; null when none is found. */
export function pageShape(paging: Paging, wanted: MirroredPage): PageShape | null {
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
      (known: unknown, path, index) => putValue(known, path, chosen[index]),
      pageBody(paging, records),
    )
    const headers = headerLeaves.flatMap((name, index) =>
      inHeaders[index] === absent ? [] : [[name, String(inHeaders[index])]],
    )
    return { body, headers: Object.fromEntries(headers) as Record<string, string>, records }
  }
  const isFree = (token: string) => (wanted.token === undefined ? !wanted.taken.has(token) : token === wanted.token)
  const isAsWanted = (token: string) => (token === '' ? !wanted.hasNext : wanted.hasNext && isFree(token))
  const hasNoToken = paging.strategy?.type !== 'CursorPagination'
  const chosen = findCombination(candidates, (tried) => {
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
  leaves: readonly MirrorPath[],
  values: readonly unknown[],
): readonly unknown[] {
  if (records.length === 0) return records
  const last = leaves.reduce(
    (record, path, index) => (values[index] === kept ? record : putValue(record, path, values[index])),
    records.at(-1),
  )
  return last === records.at(-1) ? records : [...records.slice(0, -1), last]
}

function analyse(paging: Paging, { hasNext }: MirroredPage) {
  const { requester, strategy, config, recordsAt, isSingle } = paging
  const known = {
    config,
    parameters: { ...parametersOf(requester), ...(strategy === null ? {} : parametersOf(strategy)) },
  }
  const turningReads = ['cursor_value', 'stop_condition', 'page_size'].map((field) =>
    readsOf(textField(strategy, field), known),
  )
  const rules = predicatesOf(requester).map((rule) => readsOf(textField(rule, 'predicate'), known))
  const all = [...turningReads, ...rules]
  const pagingPaths = new Set(pathsFrom(turningReads, 'response').map((path) => JSON.stringify(path)))
  const isRecords = (path: MirrorPath) =>
    recordsAt.length > 0 &&
    !isSingle &&
    (isWithin(path, recordsAt) || isWithin(recordsAt, path) || JSON.stringify(path) === JSON.stringify(recordsAt))
  return {
    bodyLeaves: leavesOf(pathsFrom(all, 'response').filter((path) => !isRecords(path))),
    headerLeaves: [...new Set(pathsFrom(all, 'headers').map(([name]) => String(name).toLowerCase()))],
    lastLeaves: hasNext ? [] : lastRecordReads(paging),
    constants: all
      .flatMap(({ constants }) => constants)
      .map((value) => (typeof value === 'bigint' ? Number(value) : value)),
    isPaging: (path: MirrorPath) => pagingPaths.has(JSON.stringify(path)),
  }
}

function pathsFrom(found: readonly TemplateReads[], root: string): MirrorPath[] {
  return found.flatMap(({ reads }) =>
    reads.filter((read) => read.root === root && read.path.length > 0).map(({ path }) => path),
  )
}

/** Rules that would make a good response a bad one. */
function predicatesOf(requester: Component): Component[] {
  return componentsInside(requester.error_handler).filter(
    ({ type, predicate, action }) =>
      type === 'HttpResponseFilter' && typeof predicate === 'string' && action !== 'SUCCESS',
  )
}

function isQuiet({ requester, config }: Paging, { body, headers }: ShownPage): boolean {
  const scope = { config, response: body, headers: headersForTemplates(headers) }
  return predicatesOf(requester).every(
    (rule) =>
      evaluateAtFixedTime(textField(rule, 'predicate'), { ...scope, parameters: parametersOf(rule) }, 'boolean') !==
      true,
  )
}

/** Records and pages of a whole read. */
export type Counts = { readonly total: number; readonly pages: number }

type Counting = { readonly counts?: Counts; readonly page: number; readonly hasNext: boolean }

/** Empty where the name has no known meaning. Other numbers would contradict the read, and the receipt would report it. */
function countedAs(path: MirrorPath, { counts, page, hasNext }: Counting): unknown[] {
  if (counts === undefined) return []
  const name = String(path.at(-1))
  const meant = meaningsOf(name).flatMap(({ kind }): unknown[] => {
    switch (kind) {
      case 'total':
        return [counts.total]
      case 'pages':
      case 'last-page':
        return [counts.pages, String(counts.pages)]
      case 'has-more':
        return [hasNext]
      case 'is-last':
        return [!hasNext]
      case 'next':
      case 'previous':
        return []
    }
  })
  const isPageNumber = /^(?:current_?)?page(?:_?(?:number|index|num|no))?$/i.test(name)
  return isPageNumber ? [...meant, page, page - 1] : meant
}

export type ShownPage = {
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>
  readonly records: readonly unknown[]
}

/** Empty where the engine stops. Throws where it would. */
function tokenOf(paging: Paging, { body, headers, records }: ShownPage): string {
  const { strategy, config, isLink } = paging
  if (strategy?.type !== 'CursorPagination') return ''
  const scope = {
    config,
    parameters: parametersOf(strategy),
    response: Array.isArray(body) ? ((body[0] as unknown) ?? {}) : body,
    headers: headersForTemplates(headers),
    last_page_size: records.length,
    last_record: records.at(-1) ?? null,
    last_records: records,
  }
  const stop = textField(strategy, 'stop_condition')
  if (stop !== '' && evaluateAtFixedTime(stop, scope, 'boolean') === true) return ''
  const token = evaluateAtFixedTime(textField(strategy, 'cursor_value'), scope)
  if (!isTruthy(token)) return ''
  if (isLink && !isAddress(pythonText(token))) throw new Error('not an address')
  return pythonText(token)
}

function isAddress(token: string): boolean {
  return /^(?:https?:|\/|\?|[\w-]+[/?])/.test(token)
}

/** Which page this is, whether another follows, its number and its address. */
export type Following = {
  readonly hasNext: boolean
  readonly page: number
  readonly next: number
  readonly link: string
}

/** Marks the token of a page, wherever a request carries it. */
export function pageMark(page: number): string {
  return `leaf-${page}-mark`
}

/** For a rule about errors: nothing, or what it compares with. */
function quiet(constants: readonly unknown[]): unknown[] {
  return [absent, ...constants, null, '', 0, 1, true, false, 200, 'ok', 'success', [], {}]
}

function turning(constants: readonly unknown[], { hasNext, page, next, link }: Following, isLink: boolean): unknown[] {
  if (!hasNext) return [null, absent, '', false, true, 0, page, 1, ...constants, [], {}, 3, 1000]
  const texts = constants.filter((value) => typeof value === 'string')
  const names = texts.flatMap((text) =>
    [...text.matchAll(/([\w$\\[\]-]+)=/g)].map(([, name = '']) => name.replaceAll('\\', '')),
  )
  const links = [
    link,
    ...names.flatMap((name) => [pageMark(next), String(next)].map((value) => withQuery(link, name, value))),
  ]
  const first = isLink ? [...links, pageMark(next)] : [pageMark(next), ...links]
  const wrapped = [{ href: link }, [{ rel: 'next', href: link, url: link }]]
  return [...first, true, false, next, page, 3, 1, 1000, ...constants, ...wrapped, absent, null]
}

/** The name as it is: templates look for `$skip`, not for `%24skip`. */
function withQuery(link: string, name: string, value: string): string {
  const url = new URL(link)
  url.searchParams.delete(name)
  return `${url.origin}${url.pathname}?${name}=${value}&${url.searchParams.toString()}`
}

function headerValues(name: string, { hasNext, page, next, link }: Following): unknown[] {
  if (name === 'link') return hasNext ? [`<${link}>; rel="next"`] : [`<${link}>; rel="prev"`, absent]
  if (!hasNext) return [absent, '', 'false', '0', '1', String(page)]
  return [pageMark(next), link, String(next), 'true', '3', '1000', absent]
}
