/** Asks the API in tests, and gathers what a test read tells. */
import type { Hono } from 'hono'
import { parseJson, stringifyJson } from '../../../src/json.ts'
import type { ReadEnd, ReadPage, TestReadEvent, TestReadRequest } from '../../../src/server/wire/test-read.ts'

export function post(app: Hono, path: string, body: unknown): Promise<Response> {
  const headers = { 'Content-Type': 'application/json', Host: 'localhost' }
  return Promise.resolve(app.request(path, { method: 'POST', headers, body: stringifyJson(body) }))
}

export async function jsonOf<T>(reply: Response): Promise<T> {
  return parseJson(await reply.text()).value as T
}

/** Every event, in order, with every digit. */
export async function readEvents(app: Hono, request: TestReadRequest): Promise<TestReadEvent[]> {
  const text = await (await post(app, '/v1/test-reads', request)).text()
  return eventsIn(text)
}

export function eventsIn(text: string): TestReadEvent[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => parseJson(line).value as TestReadEvent)
}

export function pagesIn(events: readonly TestReadEvent[]): ReadPage[] {
  return events.filter((event) => event.kind === 'page')
}

export function endOf(events: readonly TestReadEvent[]): ReadEnd {
  const last = events.at(-1)
  if (last?.kind !== 'end') throw new Error(`the last event is ${last?.kind}`)
  return last
}
