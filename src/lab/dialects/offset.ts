/** Dialects that say how many records to skip. */
import { type DialectResponse, type Question, Refusal } from '../exchange.ts'
import { type ListPage, takePage, urlTo } from '../take-page.ts'
import { oneOf, readPageSize, readWhole } from '../parameters.ts'

export function offset(question: Question): DialectResponse {
  const { query } = question
  return withTotal(pageFrom(question, ['offset', oneOf(query, 'offset')], ['limit', oneOf(query, 'limit')]))
}

export function offsetHeader(question: Question): DialectResponse {
  const { headers } = question
  return withTotal(pageFrom(question, ['X-Offset', headers['x-offset']], ['X-Limit', headers['x-limit']]))
}

/** Both numbers in one parameter, which must be there. */
export function range(question: Question): DialectResponse {
  const [start, limit, ...more] = oneOf(question.query, 'range')?.split(',') ?? []
  if (start === undefined || limit === undefined || more.length > 0) {
    throw new Refusal(400, 'range must be OFFSET,LIMIT, for example 0,100.', { field: 'range' })
  }
  return withTotal(pageFrom(question, ['range', start], ['range', limit]))
}

/** OData 4: the next link is there as long as there is more. */
export function odata(question: Question): DialectResponse {
  const { query, origin } = question
  const size: Field = ['$top', oneOf(query, '$top')]
  const { records, next, total, page, limit } = pageFrom(question, ['$skip', oneOf(query, '$skip')], size)
  return {
    body: {
      '@odata.context': `${origin}/odata/$metadata#records`,
      '@odata.count': total,
      value: records,
      '@odata.nextLink': next === null ? undefined : urlTo(question, { $top: limit, $skip: next }),
    },
    page,
  }
}

function withTotal({ records, total, page }: ListPage): DialectResponse {
  return { body: { data: records, total }, page }
}

type Field = [name: string, given: string | undefined]

function pageFrom(question: Question, [startName, from]: Field, [sizeName, size]: Field): ListPage & { limit: number } {
  const start = readWhole(startName, from, { least: 0, otherwise: 0 })
  const limit = readPageSize(question, sizeName, size)
  return { ...takePage(question, { start, limit, isPlaced: from !== undefined, by: 'records' }), limit }
}
