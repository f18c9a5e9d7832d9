/** The cursor is a field that the API does not page by: a page says that more follow, and the next page is empty. */
import { type Cause, seen } from '../cause.ts'
import { placeName } from '../../claims/response-place.ts'
import { tryInOrder } from '../trial.ts'
import { afterLast } from './after-last.ts'

/** Pages of the trial: as many as were read, up to this. */
const mostPages = 6

export const pastRecords: Cause = async (subject, tools) => {
  const { pages, pagination, place, receipt, read } = subject
  const [before, last] = pages.slice(-2)
  const field = read.rules.cursorField
  if (pagination.kind !== 'cursor' || place === null || field === null || receipt === null) return null
  if (before === undefined || last === undefined || before.received === 0 || last.received > 0) return null
  const promise = before.found.nexts.find(({ kind, says, isNamed }) => kind === 'flag' && says === 'more' && isNamed)
  if (promise === undefined) return null
  const says = `The cursor is the ${field.join('.')} of the last record, and the page that it leads to is empty, although more pages follow.`
  const evidence = [
    seen(`Page ${before.number} says that another one follows (${placeName(promise.place)}).`, before),
    seen(`Page ${last.number} was requested with ${String(last.token?.value)} and is empty.`, last),
  ]
  const hypotheses = afterLast(subject, place, 'missing/wrong-cursor', { says, evidence })
  const shortRead = Math.min(pages.length, mostPages)
  return tryInOrder(
    subject,
    hypotheses.map((one) => ({ ...one, shortRead })),
    tools,
  )
}
