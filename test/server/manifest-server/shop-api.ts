/** An API with orders, shops, tokens and jobs, for the manifest server's operations. */
import { serveApi, type ServedApi } from '../../helpers/serve-api.ts'

const orders = Array.from({ length: 7 }, (_, index) => ({ id: index + 1, day: `2024-01-0${index + 1}`, note: null }))

export async function serveShop(): Promise<ServedApi> {
  const api: ServedApi = await serveApi({
    'POST /token': () => ({ json: { access_token: 'access-SECRET', refresh_token: 'next-SECRET', expires_in: 3600 } }),
    'GET /orders': (query) => {
      const [offset, limit] = [Number(query.get('offset') ?? 0), Number(query.get('limit') ?? 100)]
      return { json: { data: orders.slice(offset, offset + limit) } }
    },
    'GET /days': (query) => {
      const [from, to] = [query.get('from') ?? '', query.get('to') ?? '9']
      return { json: orders.filter(({ day }) => day >= from && day <= to) }
    },
    'GET /shops': () => ({ json: [{ id: 'a' }, { id: 'b' }, { id: 'c' }] }),
    'GET /shops/a': () => ({ json: [{ id: 1 }] }),
    'GET /shops/b': () => ({ status: 500, json: { error: 'shop b is closed' } }),
    'GET /shops/c': () => ({ json: [{ id: 3 }] }),
    'GET /denied': () => ({ status: 403, json: { error: 'no' } }),
    'POST /jobs': () => ({ json: { id: 'one' } }),
    'GET /jobs/one': () => {
      return { json: { status: 'done', url: `${api.url}/download` } }
    },
    'POST /jobs/one/remove': () => ({ json: {} }),
    'GET /download': () => ({ text: 'id,name\n1,a\n2,b\n', headers: { 'content-type': 'text/csv' } }),
  })
  return api
}
