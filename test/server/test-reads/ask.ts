/** Requests test reads in tests, and collects their events. */
import { parseJson } from '../../../src/std/json.ts'
import type { ReadEnd, ReadPage, TestReadEvent, TestReadRequest } from '../../../src/server/wire/test-read.ts'
import type { TestApi } from '../api.ts'

/** Every event, in order, with every digit. */
export async function readEvents(api: TestApi, request: TestReadRequest): Promise<TestReadEvent[]> {
  return eventsIn(await (await api.post('/v1/test-reads', request)).text())
}

export function eventsIn(text: string): TestReadEvent[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => parseJson(line).value as TestReadEvent)
}

export function kindsOf(events: readonly TestReadEvent[]): string[] {
  return events.map(({ kind }) => kind)
}

export function idOf([started]: readonly TestReadEvent[]): string {
  if (started?.kind !== 'started') throw new Error(`the first event is ${started?.kind}`)
  return started.id
}

export function pagesIn(events: readonly TestReadEvent[]): ReadPage[] {
  return events.filter((event) => event.kind === 'page')
}

export function endOf(events: readonly TestReadEvent[]): ReadEnd {
  const last = events.at(-1)
  if (last?.kind !== 'end') throw new Error(`the last event is ${last?.kind}`)
  return last
}
