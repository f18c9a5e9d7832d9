/** Parameters that ask for what is new, and the field of a record they probably compare: offered, never written by themselves. */
import { plainName, wordsOf } from '../../proof/names/name-style.ts'
import type { DescribedField, DescribedParameter } from '../description.ts'

export type IncrementalCandidate = { readonly parameter: string; readonly field: string | null }

const subjects = /^(updated|modified|changed|created|edited|lastmodified|lastupdated|synced)/
const bounds = /(since|after|from|start|gte|gt|min|begin)$/

export function incrementalCandidates(
  parameters: readonly DescribedParameter[],
  fields: readonly DescribedField[],
): IncrementalCandidate[] {
  return parameters
    .filter(({ in: place }) => place === 'query' || place === 'body')
    .filter((one) => asksForNew(one))
    .slice(0, 5)
    .map(({ name }) => ({ parameter: name, field: fieldOf(name, fields) }))
}

function asksForNew({ name, words, type }: DescribedParameter): boolean {
  if (type === 'boolean' || type === 'object' || type === 'array') return false
  const plain = plainName(name)
  if (subjects.test(plain) && bounds.test(plain)) return true
  if (
    /^(since|modifiedsince|ifmodifiedsince|starttime|startdate|datefrom|fromdate|mindate|dateafter|begindate|changedsince)$/.test(
      plain,
    )
  )
    return true
  return (
    /^(from|start|after|min)/.test(plain) &&
    /(date|time|timestamp|modified|updated)/.test(plain) &&
    !/page|cursor|token/i.test(words)
  )
}

function fieldOf(parameter: string, fields: readonly DescribedField[]): string | null {
  const dates = fields.filter(
    ({ path, format }) =>
      format === 'date-time' || format === 'date' || /(_at|_on|At|Date|_date|_time|Time)$/.test(path[0] ?? ''),
  )
  const [subject] = wordsOf(parameter)
  const stem = (subject ?? '').slice(0, 6)
  const named = dates.find(({ path }) => plainName(path[0] ?? '').includes(stem))
  const updated = dates.find(({ path }) =>
    /^(updated|modified|lastupdated|lastmodified|changed)/.test(plainName(path[0] ?? '')),
  )
  return (named ?? updated)?.path[0] ?? null
}
