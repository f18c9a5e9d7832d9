/** Pages past the end that the API refuses. */
import { offsetPaginator } from '../../../helpers/manifests.ts'
import type { Handler } from '../../../helpers/serve-api.ts'
import { keyed } from '../served.ts'
import { all, paging, size, type WrongManifest } from './apis.ts'

const refusing =
  (status: number, body: unknown, held = size): Handler =>
  (query) => {
    const page = Number(query.get('page') ?? 1)
    const rows = all.slice(0, 50).slice((page - 1) * held, page * held)
    return rows.length === 0 ? { status, json: body } : { json: { data: rows } }
  }

export const ends: readonly WrongManifest[] = [
  ...(
    [
      [404, { message: 'Page 6 does not exist' }],
      [400, { error: { code: 'page_out_of_range', message: 'page out of range' } }],
      [422, { errors: [{ title: 'page number is beyond the last page' }] }],
      [404, { detail: 'Invalid page.' }],
      [
        400,
        {
          code: 'rest_post_invalid_page_number',
          message: 'The page number requested is larger than the number of pages available.',
          data: { status: 400 },
        },
      ],
      [404, { error: { code: 'NO_MORE_PAGES' } }],
    ] as const
  ).map(([status, body]) => ({
    what: `a page past the end is refused with ${status} ${JSON.stringify(body)}`,
    answer: refusing(status, body),
    parts: { paginator: paging(), ...keyed },
    codes: ['never-stops/stop-condition'],
    records: 50,
  })),
  {
    what: 'an offset past the end is refused',
    answer: (query) => {
      const offset = Number(query.get('offset') ?? 0)
      if (offset >= 50) return { status: 400, json: { error: 'offset is out of range' } }
      return { json: { data: all.slice(offset, offset + 10) } }
    },
    parts: { paginator: offsetPaginator({ page_size: 10 }), ...keyed },
    codes: ['never-stops/stop-condition'],
    records: 50,
  },
  {
    what: 'refused with 404 text',
    answer: (q) => {
      const p = Number(q.get('page') ?? 1)
      return p > 5 ? { status: 404, text: 'Page not found' } : { json: { data: all.slice((p - 1) * 10, p * 10) } }
    },
    parts: { paginator: paging(), ...keyed },
    codes: ['never-stops/stop-condition'],
    isFixed: false,
  },
  {
    what: 'refused with 416',
    answer: (q) => {
      const o = Number(q.get('offset') ?? 0)
      return o >= 50
        ? { status: 416, json: { message: 'Requested offset is beyond the last record' } }
        : { json: { data: all.slice(o, o + 10) } }
    },
    parts: { paginator: offsetPaginator({ page_size: 10 }), ...keyed },
    codes: ['never-stops/stop-condition'],
    records: 50,
  },
  {
    what: 'refused without words',
    answer: (q) => {
      const o = Number(q.get('offset') ?? 0)
      return o >= 50 ? { status: 400, json: { error: 'Bad Request' } } : { json: { data: all.slice(o, o + 10) } }
    },
    parts: { paginator: offsetPaginator({ page_size: 10 }), ...keyed },
    codes: ['never-stops/stop-condition'],
    isFixed: false,
  },
  {
    what: 'refused by a limit',
    answer: (q) => {
      const o = Number(q.get('offset') ?? 0)
      return o >= 50
        ? { status: 400, json: { error: 'Only the first 50 records can be read: offset exceeds the maximum of 50' } }
        : { json: { data: all.slice(o, o + 10) } }
    },
    parts: { paginator: offsetPaginator({ page_size: 10 }), ...keyed },
    codes: ['never-stops/stop-condition'],
    isFixed: false,
    says: /smaller parts/,
  },
  {
    what: 'refused by a code, vague message',
    answer: (q) => {
      const o = Number(q.get('offset') ?? 0)
      return o >= 50
        ? { status: 400, json: { code: 'OFFSET_OUT_OF_RANGE', message: 'Bad request' } }
        : { json: { data: all.slice(o, o + 10) } }
    },
    parts: { paginator: offsetPaginator({ page_size: 10 }), ...keyed },
    codes: ['never-stops/stop-condition'],
    records: 50,
  },
  {
    what: 'one full page, and the next is refused',
    answer: (q) => {
      const o = Number(q.get('offset') ?? 0)
      return o >= 10
        ? { status: 404, json: { message: 'offset is out of range' } }
        : { json: { data: all.slice(o, 10) } }
    },
    parts: { paginator: offsetPaginator({ page_size: 10 }), ...keyed },
    codes: ['never-stops/stop-condition'],
    records: 10,
  },
]
