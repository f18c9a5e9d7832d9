/** One page is one month. Months differ in length, and an empty one is not the end. */
import { type DialectResponse, type Question, Refusal } from '../exchange.ts'
import { oneOf } from '../parameters.ts'
import { type Dress, takeRecords } from '../records.ts'

const firstYear = 2024
// Events per month, repeated every six months. The second month is empty on purpose.
const rhythm = [30, 0, 45, 12, 60, 3]
const perRound = rhythm.reduce((sum, count) => sum + count)

export function calendar({ query, dataset, hooks, asked }: Question): DialectResponse {
  const given = oneOf(query, 'month')
  const index = readMonth(given ?? monthText(0))
  hooks.refuse?.({ start: index, limit: 1, isPlaced: given !== undefined, by: 'pages' }, asked)
  const month = monthText(index)
  const event: Dress = (text, id) => `{"day":"${month}-${String((id % 28) + 1).padStart(2, '0')}",${text.slice(1)}`
  const end = Math.min(eventsBefore(index + 1), dataset.size)
  const events = takeRecords(dataset, [[eventsBefore(index), end]], event)
  return { body: { month, last_month: monthText(lastMonth(dataset.size)), events }, page: index }
}

function readMonth(given: string): number {
  const [, year, month] = /^(\d{4,8})-(0[1-9]|1[0-2])$/.exec(given) ?? []
  const index = (Number(year) - firstYear) * 12 + Number(month) - 1
  if (index >= 0) return index
  throw new Refusal(400, `month must be YYYY-MM, from ${monthText(0)} on.`, { field: 'month' })
}

function monthText(index: number): string {
  return `${firstYear + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`
}

function eventsBefore(index: number): number {
  const inRound = rhythm.slice(0, index % rhythm.length).reduce((sum, count) => sum + count, 0)
  return Math.floor(index / rhythm.length) * perRound + inRound
}

/** The month that holds the last event. */
function lastMonth(size: number): number {
  const rounds = Math.floor(Math.max(size - 1, 0) / perRound)
  let index = rounds * rhythm.length
  while (eventsBefore(index + 1) < size) index++
  return index
}
