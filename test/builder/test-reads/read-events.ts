/** Events of a test read, as the server would send them. */
import type { ReadPage } from '../../../src/server/wire/test-read.ts'

export const request = { method: 'GET', url: 'http://api/orders', headers: {}, body: null }
const response = { status: 200, url: request.url, headers: {}, bytes: 2, body: '{}', isCut: false }

export function pageEvent(slice: number, page: number, at: number): ReadPage {
  return {
    kind: 'page',
    slice,
    page,
    at,
    tookMs: 20,
    request,
    response,
    received: 2,
    emitted: 2,
    records: [],
    tokenIn: null,
    tokenOut: null,
    stop: null,
    stopWords: null,
  }
}
