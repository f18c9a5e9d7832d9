/** Dialects that say how many records to skip. */
import { type Answer, type Question, Refusal } from '../exchange.ts'
import { urlTo } from '../links.ts'
import { oneOf, readPageSize, readWhole } from '../parameters.ts'
import { takeRecords } from '../records.ts'

export function offset(question: Question): Answer {
  const start = readWhole('offset', oneOf(question.query, 'offset'), { least: 0, otherwise: 0 })
  return withTotal(question, start, readPageSize('limit', oneOf(question.query, 'limit')))
}

export function offsetHeader(question: Question): Answer {
  const start = readWhole('X-Offset', question.headers['x-offset'], { least: 0, otherwise: 0 })
  return withTotal(question, start, readPageSize('X-Limit', question.headers['x-limit']))
}

/** Both numbers in one parameter, which must be there. */
export function range(question: Question): Answer {
  const [start, limit, ...more] = oneOf(question.query, 'range')?.split(',') ?? []
  if (start === undefined || limit === undefined || more.length > 0) {
    throw new Refusal(400, 'range must be OFFSET,LIMIT, for example 0,100.', { field: 'range' })
  }
  return withTotal(question, readWhole('range', start, { least: 0, otherwise: 0 }), readPageSize('range', limit))
}

/** OData 4: the next link is there as long as there is more. */
export function odata(question: Question): Answer {
  const start = readWhole('$skip', oneOf(question.query, '$skip'), { least: 0, otherwise: 0 })
  const limit = readPageSize('$top', oneOf(question.query, '$top'))
  const { records, next } = takeRecords(question.dataset, start, limit)
  return {
    body: {
      '@odata.context': `${question.origin}/odata/$metadata#records`,
      '@odata.count': question.dataset.size,
      value: records,
      '@odata.nextLink': next === null ? undefined : urlTo(question, { $top: limit, $skip: next }),
    },
  }
}

function withTotal({ dataset }: Question, start: number, limit: number): Answer {
  return { body: { data: takeRecords(dataset, start, limit).records, total: dataset.size } }
}
