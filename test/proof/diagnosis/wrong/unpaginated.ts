/** No pagination in the manifest, and several pages at the API. */
import { keyed } from '../served.ts'
import { all, byCursor, post, size, total, type WrongManifest } from './apis.ts'

const codes = ['missing/not-paginated']

export const unpaginated: readonly WrongManifest[] = [
  {
    what: 'no pagination, and a cursor whose name claims no next page',
    answer: byCursor((rows, next) => ({ json: { data: rows, ...(next !== null && { cursor: next }) } })),
    parts: keyed,
    codes,
    says: /cursor names the next page/,
  },
  {
    what: 'no pagination, and such a cursor in responses to a POST',
    answer: post(({ cursor = 'c0' }) => {
      const start = Number(String(cursor).slice(1))
      const next = start + size < total ? { cursor: `c${start + size}` } : {}
      return { json: { data: all.slice(start, start + size), ...next } }
    }),
    parts: { requester: { http_method: 'POST', request_body_json: { query: 'x' } }, ...keyed },
    codes,
  },
  {
    what: 'no pagination, and NextMarker, which is sent as Marker',
    answer: byCursor(
      (rows, next) => ({ json: { data: rows, NextMarker: next, IsTruncated: next !== null } }),
      'Marker',
    ),
    parts: keyed,
    codes,
  },
  {
    what: 'no pagination, and a next page of several members',
    answer: byCursor((rows, next, start) => {
      const page = start / size + 1
      const ahead = next === null ? {} : { next: { page: page + 1, starting_after: next } }
      return { json: { data: rows, total_count: total, pages: { page, per_page: size, ...ahead } } }
    }, 'starting_after'),
    parts: keyed,
    codes,
  },
  {
    what: 'no pagination, and a cursor next to one that leads back',
    answer: byCursor((rows, next, start) => {
      const ahead = next === null ? {} : { after_token: next }
      return { json: { data: rows, cursors: { before_token: `b${start}`, ...ahead } } }
    }, 'after_token'),
    parts: keyed,
    codes,
  },
  {
    what: 'no pagination, and page numbers from 0 next to a flag',
    answer: (query) => {
      const page = Number(query.get('page') ?? 0)
      const data = all.slice(page * size, (page + 1) * size)
      const isLast = (page + 1) * size >= total
      return { json: { data, totalElements: total, totalPages: 6, number: page, size, last: isLast } }
    },
    parts: keyed,
    codes,
  },
  {
    what: 'no pagination, and an offset next to a flag',
    answer: (query) => {
      const start = Number(query.get('offset') ?? 0)
      return { json: { data: all.slice(start, start + size), has_more: start + size < total } }
    },
    parts: keyed,
    codes,
  },
]
