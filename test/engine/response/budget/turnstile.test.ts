/** So many requests at a time, and no more. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withTurnstile } from '../../../../src/engine/response/budget/slots.ts'
import type { HttpResponse } from '../../../../src/engine/response/http-response.ts'

const request = (url: string) => ({ method: 'GET', url, headers: {}, body: null })
const answer = (url: string): HttpResponse => ({ status: 200, url, headers: {}, body: new Uint8Array() })
const { signal } = new AbortController()

/** A network whose responses come when the test says so. */
function held() {
  const under: { url: string; release: (failure?: Error) => void }[] = []
  const send = ({ url }: { url: string }) =>
    new Promise<HttpResponse>((resolve, reject) => {
      under.push({ url, release: (failure) => (failure === undefined ? resolve(answer(url)) : reject(failure)) })
    })
  return { under, send }
}
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

test('the third of two waits, and goes when one has come back, answered or not', async () => {
  const { under, send } = held()
  const guarded = withTurnstile(send, 2)
  const asked = ['a', 'b', 'c', 'd'].map((url) => guarded(request(url), signal))
  await turn()
  assert.deepEqual(
    under.map(({ url }) => url),
    ['a', 'b'],
  )
  under[0]?.release(new Error('broken'))
  await assert.rejects(asked[0] as Promise<unknown>, /broken/)
  await turn()
  assert.deepEqual(
    under.map(({ url }) => url),
    ['a', 'b', 'c'],
  )
  under[1]?.release()
  await turn()
  assert.deepEqual(
    under.map(({ url }) => url),
    ['a', 'b', 'c', 'd'],
  )
  under[2]?.release()
  under[3]?.release()
  await Promise.all(asked.slice(1))
})

test('who gives up waiting leaves the line', async () => {
  const { under, send } = held()
  const guarded = withTurnstile(send, 1)
  const first = guarded(request('a'), signal)
  const leaving = new AbortController()
  const second = guarded(request('b'), leaving.signal)
  const third = guarded(request('c'), signal)
  leaving.abort()
  await assert.rejects(second, { code: 'response/aborted' })
  under[0]?.release()
  await first
  await turn()
  assert.deepEqual(
    under.map(({ url }) => url),
    ['a', 'c'],
  )
  under[1]?.release()
  await third
})
