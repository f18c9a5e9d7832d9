/** A page of a shape → the addresses of the pages around it. */
import type { AskedRequest } from '../../../helpers/serve-api.ts'
import { signatureOf } from './asked.ts'
import { type Position, tokenAt } from './position.ts'
import type { Paging, Said, Shape } from './shape.ts'

export type LinkTo = { readonly shape: Shape; readonly position: Position; readonly asked: AskedRequest }

/** What is where the next page is named; undefined for nothing at all. */
export function nextIn(to: LinkTo): string | number | Readonly<Record<string, unknown>> | null | undefined {
  const { shape, position } = to
  const { next, paging, records } = shape
  if (next === null || paging === null) return undefined
  const start = position.start + position.size
  const isEnd = start >= records.count
  if (isEnd && next.atEnd === 'stays') {
    const end = Math.min(position.start + position.size, records.count)
    return end === 0 ? null : tokenAt(shape, paging, { ...position, start: end })
  }
  if (isEnd) return next.atEnd === 'null' ? null : next.atEnd === 'blank' ? '' : undefined
  if (next.as === 'tokens' && shape.quirk?.kind === 'tokens' && paging.token.counts !== 'path') {
    const name = paging.token.placed.path[0] as string
    return { [name]: tokenAt(shape, paging, { ...position, start }), ...shape.quirk.further }
  }
  if (next.as === 'token') return tokenAt(shape, paging, { ...position, start })
  return addressAt(to, paging, start, next.as)
}

type UrlName = Extract<Said['what'], `${string}-url`>

export function urlsOf(to: LinkTo): { readonly [what in UrlName]: string | null } {
  const { shape, position } = to
  const { paging, records, next } = shape
  if (paging === null) throw new Error('without pages there are no links')
  const form = next?.as ?? 'url'
  const at = (start: number) => addressAt(to, paging, start, form)
  const { start, size } = position
  return {
    'self-url': at(start),
    'first-url': at(0),
    'previous-url': start === 0 ? null : at(Math.max(0, start - size)),
    'last-url': at(Math.max(0, Math.floor((records.count - 1) / size) * size)),
  }
}

/** As RFC 8288 has it, with the relations that GitHub and its like send. Null when there is none to send. */
export function linkHeader(to: LinkTo): string | null {
  const { shape, position } = to
  const { paging, records, seed } = shape
  if (paging === null) return null
  const links: string[] = []
  const add = (rel: string, url: string) =>
    links.push(seed % 3 === 0 ? `<${url}>; rel=${rel}` : `<${url}>; rel="${rel}"`)
  const { start, size } = position
  if (start > 0 && seed % 2 === 0) {
    add('first', addressAt(to, paging, 0, 'url'))
    add('prev', addressAt(to, paging, Math.max(0, start - size), 'url'))
  }
  if (start + size < records.count) {
    add('next', addressAt(to, paging, start + size, seed % 5 === 0 ? 'path' : 'url'))
    if (seed % 2 === 0) add('last', addressAt(to, paging, Math.floor((records.count - 1) / size) * size, 'url'))
  }
  return links.length === 0 ? null : links.join(', ')
}

/** The request as it was asked, for another position. */
function addressAt({ shape, position, asked }: LinkTo, paging: Paging, start: number, form: string): string {
  const query = new URLSearchParams(asked.query)
  let { path } = shape
  const { token } = paging
  query.delete('sig')
  if (token.counts === 'path') {
    if (start > 0) path += `/more/${encodeURIComponent(String(tokenAt(shape, paging, { ...position, start })))}`
  } else if (start === 0 && token.counts !== 'page' && token.counts !== 'offset')
    query.delete(token.placed.path[0] as string)
  else query.set(token.placed.path[0] as string, String(tokenAt(shape, paging, { ...position, start })))
  if (shape.next?.isSigned === true) query.set('sig', signatureOf(query))
  const search = query.size === 0 ? '' : `?${query.toString()}`
  if (form === 'query') return search
  return form === 'path' ? path + search : `http://${asked.headers.host}${path}${search}`
}
