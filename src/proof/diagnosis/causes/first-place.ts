/** Next pages are whole addresses, and the first request says nothing about its place: what it may have to say. */
import type { Case, Hypothesis } from '../case.ts'
import type { Evidence } from '../diagnosis.ts'
import { type ManifestPlace, set } from '../manifest-place.ts'

/** A parameter of every request: an address that the API gave out has its own, which counts. */
export function firstPlaces({ pagination }: Case, place: ManifestPlace, evidence: readonly Evidence[]): Hypothesis[] {
  if (pagination.kind !== 'cursor' || pagination.token?.into !== 'path') return []
  const size = pagination.size?.placement
  const names = namesBeside(size?.into === 'query' ? size.name : '')
  return names.map(
    ([name, first]): Hypothesis => ({
      code: 'first-request/injection-required',
      why: `whether the first request needs ${name}=${first}`,
      says: `The API refuses a first request without ${name}.`,
      evidence,
      fix: {
        says: `Send ${name}=${first} with the first request; the addresses of later pages have their own.`,
        edits: set([...place.requester, 'request_parameters'], { [name]: first }),
      },
    }),
  )
}

/** What usually stands beside the parameter that asks for a size, with what it is on the first page. */
function namesBeside(size: string): (readonly [name: string, first: string])[] {
  const [, group] = /^(.+)\[(?:size|limit)\]$/i.exec(size) ?? []
  if (group !== undefined) {
    return [
      [`${group}[number]`, '1'],
      [`${group}[offset]`, '0'],
    ]
  }
  if (size === '$top') return [['$skip', '0']]
  const page: readonly [string, string] = [/[a-z]Size$/.test(size) ? 'pageNumber' : 'page', '1']
  const offset: readonly [string, string] = ['offset', '0']
  return /limit|count|max/i.test(size) ? [offset, page] : [page, offset]
}
