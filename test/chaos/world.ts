/** The API that is synced while processes die: every dialect of paging, and records that change from round to round. */
import { stringifyJson } from '../../src/std/json.ts'
import type { JsonRecord } from '../../src/engine/plan/plan.ts'
import type { Answer, Handler } from '../helpers/serve-api.ts'

/** What the API has in a round; the first is 1. Later rounds have more, and newer versions of what there was. */
export function worldOf(round: () => number): Record<string, Handler> {
  return {
    'GET /offset': (query) => sized(itemsOf(round(), 27), number(query, 'offset', 0), 4),
    'GET /pages': (query) => sized(itemsOf(round(), 20), (number(query, 'page', 1) - 1) * 4, 4),
    'GET /cursor': (query) => {
      const from = number(query, 'cursor', 0)
      const all = itemsOf(round(), 29)
      return answerOf({ ...partOf(all, from, 5), next: from + 5 < all.length ? String(from + 5) : null })
    },
    'GET /links': (query, { headers }) => {
      const from = number(query, 'after', 0)
      const all = itemsOf(round(), 19)
      const next = from + 4 < all.length ? `http://${headers.host}/links?after=${from + 4}` : null
      return answerOf({ ...partOf(all, from, 4), next })
    },
    'GET /regions': (query) => {
      const region = query.get('region')
      const all = itemsOf(round(), 4 + Number(region?.length)).map((item) => ({ ...item, region }))
      return sized(all, number(query, 'offset', 0), 3)
    },
    'GET /orders': (query) => sized(inWindow(ordersOf(round()), query), number(query, 'offset', 0), 3),
    'GET /events': (query) => sized(inWindow(eventsOf(round()), query), (number(query, 'page', 1) - 1) * 4, 4),
  }
}

/** The first day there are orders and events; a round adds two. */
const firstDay = Date.UTC(2024, 0, 1)
const dayMs = 24 * 60 * 60 * 1000

/** When a round takes place: the morning after its last day. */
export function timeOfRound(round: number): number {
  return firstDay + daysOf(round) * dayMs
}

const daysOf = (round: number) => 6 + 2 * round

/** Values that make columns grow: whole numbers, then decimals, then text; nulls first; fields that come late. */
export function itemsOf(round: number, count: number): JsonRecord[] {
  return Array.from({ length: count + 3 * round }, (_, index) => ({
    id: index + 1,
    round,
    name: index % 7 === 3 ? 'O’Neil "quoted"\n\t🦊, \\N' : `item ${index}`,
    big: 9007199254740993n + BigInt(index),
    amount: index < 9 ? index : index + 0.25,
    mixed: index < 6 ? index : index % 2 === 0 ? index : `text ${index}`,
    lateText: index < 8 ? null : `late ${index}`,
    ...(index >= 12 && { late: index % 3 === 0 }),
    nested: { path: [index, null, { deep: `${index}` }], select: true },
    at: new Date(firstDay + index * 3_600_000).toISOString(),
  }))
}

/** Twelve orders, changed again and again; every ninth line has no key. */
function ordersOf(round: number): JsonRecord[] {
  return Array.from({ length: daysOf(round) * 5 }, (_, index) => ({
    ...(index % 9 !== 8 && { id: `order ${(index * 7) % 12}` }),
    change: index,
    total: index % 4 === 0 ? index : index + 0.5,
    day: dayOf(index / 5),
  }))
}

function eventsOf(round: number): JsonRecord[] {
  return Array.from({ length: daysOf(round) * 4 }, (_, index) => ({ event: index, day: dayOf(index / 4) }))
}

function dayOf(days: number): string {
  return new Date(firstDay + Math.floor(days) * dayMs).toISOString().slice(0, 10)
}

function inWindow(all: readonly JsonRecord[], query: URLSearchParams): JsonRecord[] {
  const from = query.get('from') ?? ''
  const to = query.get('to') ?? ''
  return all.filter(({ day }) => String(day) >= from && String(day) <= to)
}

function number(query: URLSearchParams, name: string, absent: number): number {
  return Number(query.get(name) ?? absent)
}

function sized(all: readonly JsonRecord[], from: number, size: number): Answer {
  return answerOf(partOf(all, from, size))
}

function partOf(all: readonly JsonRecord[], from: number, size: number): { data: JsonRecord[] } {
  return { data: all.slice(from, from + size) }
}

function answerOf(body: unknown): Answer {
  return { text: stringifyJson(body), headers: { 'content-type': 'application/json' } }
}

/** A few milliseconds for a response: time to be killed in. */
export function slowly(routes: Record<string, Handler>, onRequest: () => void): Record<string, Handler> {
  const slow = Object.entries(routes).map(([route, answer]): [string, Handler] => [
    route,
    async (query, request) => {
      onRequest()
      await new Promise((resolve) => setTimeout(resolve, 3))
      return await answer(query, request)
    },
  ])
  return Object.fromEntries(slow)
}
