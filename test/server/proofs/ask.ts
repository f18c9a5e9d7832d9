/** Requests diagnoses, detections and surveys in tests, and collects their events. */
import { parseJson } from '../../../src/std/json.ts'
import type { TestApi } from '../api.ts'

type Told = { readonly kind: string }

/** Every event, in order. */
export async function eventsFrom<Event extends Told>(api: TestApi, path: string, body: unknown): Promise<Event[]> {
  return eventsIn(await (await api.post(path, body)).text())
}

export function eventsIn<Event extends Told>(text: string): Event[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => parseJson(line).value as Event)
}

/** The last event, which is the only `end`. */
export function endOf<Event extends Told>(events: readonly Event[]): Extract<Event, { kind: 'end' }> {
  const ends = events.filter(({ kind }) => kind === 'end')
  if (ends.length !== 1 || events.at(-1) !== ends[0]) throw new Error(`the end of ${JSON.stringify(events)}`)
  return ends[0] as Extract<Event, { kind: 'end' }>
}
