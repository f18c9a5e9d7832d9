/** A shape and a request → its response; pure. */
import type { Answer, AskedRequest } from '../../../helpers/serve-api.ts'
import { readAsked, type Refusal } from './asked.ts'
import { linkHeader, type LinkTo, nextIn, urlsOf } from './links.ts'
import { type Position, positionOf } from './position.ts'
import type { ShapeRecord } from './records.ts'
import type { Paging, Place, Said, Shape } from './shape.ts'

export type AnsweredPage = { readonly answer: Answer; readonly records: readonly ShapeRecord[] }

export function answerShape(shape: Shape, all: readonly ShapeRecord[], asked: AskedRequest): AnsweredPage {
  const cursor = asked.path === shape.path ? null : pathCursorIn(shape, asked.path)
  if ((asked.path !== shape.path && cursor === null) || asked.method !== shape.method)
    return refused({ status: 404, says: 'Nothing is here.' })
  const values = readAsked(shape, asked)
  if ('says' in values) return refused(values)
  const { paging, quirk } = shape
  const isUnpaged = values.token === null && values.size === null
  if (quirk?.kind === 'bare-unpaged' && isUnpaged) {
    const records = quirk.isWhole ? all : all.slice(0, paging?.size.usual)
    return { answer: { json: records }, records }
  }
  if (paging === null) return pageOf(shape, all, { start: 0, size: Math.max(1, all.length) }, asked)
  const position = positionOf(shape, paging, cursor === null ? values : { ...values, token: cursor })
  if ('says' in position) return refused(position)
  return pageOf(shape, all.slice(position.start, position.start + position.size), position, asked)
}

/** `/orders/more/{cursor}`: the address of a page that only the page before it names. */
function pathCursorIn({ path, paging }: Shape, askedPath: string): string | null {
  if (paging?.token.counts !== 'path' || !askedPath.startsWith(`${path}/more/`)) return null
  return decodeURIComponent(askedPath.slice(path.length + '/more/'.length))
}

function refused({ status, says }: Refusal): AnsweredPage {
  if (status === 200) return { answer: { json: { errors: [{ message: says }] } }, records: [] }
  return { answer: { status, json: { error: { code: status, message: says } } }, records: [] }
}

function pageOf(shape: Shape, records: readonly ShapeRecord[], position: Position, asked: AskedRequest): AnsweredPage {
  const body: Record<string, unknown> = {}
  const headers: Record<string, string> = {}
  const put = ([from, ...names]: Place, value: Stated) => {
    if (from === 'body') setAt(body, names, value)
    else if (value !== null)
      headers[names[0] as string] = typeof value === 'object' ? JSON.stringify(value) : String(value)
  }
  for (const { path, value } of shape.beside.filter(({ isFirst }) => isFirst)) setAt(body, path, value)
  const sent = sentAs(shape, records)
  if (shape.recordPath.length > 0) setAt(body, shape.recordPath, sent)
  const to: LinkTo = { shape, position, asked }
  for (const said of shape.says) put(said.at, valueOf(said, to, records.length))
  if (shape.next?.as === 'link-header') put(shape.next.at, linkHeader(to))
  else if (shape.next !== null) {
    const value = nextIn(to)
    if (value !== undefined) put(shape.next.at, value)
  }
  for (const { path, value } of shape.beside.filter(({ isFirst }) => !isFirst)) setAt(body, path, value)
  return { answer: { headers, json: shape.recordPath.length === 0 ? sent : body }, records }
}

/** Some send the values alone. */
function sentAs({ quirk }: Shape, records: readonly ShapeRecord[]): readonly unknown[] {
  if (quirk?.kind !== 'bare-values') return records
  const { as } = quirk
  if (as === 'lists') return records.map((record) => Object.values(record))
  return records.map((record, index) => (as === 'numbers' ? index * 17 + 3 : String(Object.values(record)[0])))
}

/** What a body or a header may say of pages. */
type Stated = string | number | boolean | null | Readonly<Record<string, unknown>>

function valueOf({ what }: Said, to: LinkTo, length: number): Stated {
  const { shape, position } = to
  const { count } = shape.records
  const { start, size } = position
  switch (what) {
    case 'total':
      return count
    case 'pages':
      return Math.ceil(count / size)
    case 'page':
      return Math.floor(start / size) + firstPageOf(shape.paging)
    case 'offset':
      return start
    case 'size':
      return size
    case 'count':
      return length
    case 'has-more':
      return start + size < count
    default:
      return urlsOf(to)[what]
  }
}

function firstPageOf(paging: Paging | null): number {
  return paging?.token.counts === 'page' ? paging.token.first : 1
}

function setAt(body: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let inner = body
  for (const name of path.slice(0, -1)) inner = (inner[name] ??= {}) as Record<string, unknown>
  inner[path.at(-1) as string] = value
}
