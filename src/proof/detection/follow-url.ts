/** An address that an answer holds → whether it leads to the next page, and how large that is. */
import type { HttpRequest } from '../../engine/request/http-request.ts'
import { sameOrigin } from '../../engine/request/url.ts'
import { isNameOf } from '../names/paging-names.ts'
import { isNew, type Shown } from './pages.ts'
import type { Pointer } from './pointers.ts'
import { inQuery, type Put, type Question, requestOf, type Slot } from './question.ts'
import { probeRequest, type Walk } from './walk.ts'

/** Parameters of the address that ask for as many records as the page has; null where it does not lead on. */
export async function followUrl(walk: Walk, pointer: Pointer, from: Shown): Promise<readonly Slot[] | null> {
  const url = String(pointer.value)
  const isForeign = !sameOrigin(walk.question.address, url)
  const why = `Does the address at ${pointer.path.join('.')} lead to the next page?`
  const probed = await probeRequest(walk, why, requestTo(url, walk.question, isForeign, walk.needed))
  if (!probed?.page || !isNew(probed.page.keys, from.keys)) return null
  return [...new URL(url).searchParams]
    .filter(([name, value]) => isNameOf('size', name) && value === String(from.keys.length))
    .map(([name]) => inQuery(name))
}

/** As the engine asks: parameters that the address does not have are added, and another origin gets nothing that was given. */
export function requestTo(url: string, question: Question, isForeign: boolean, needed: readonly Put[]): HttpRequest {
  if (isForeign) return { method: 'GET', url, headers: {}, body: null }
  const target = new URL(url)
  const missing = question.query.filter(([name]) => !target.searchParams.has(name))
  return requestOf(
    { ...question, address: target.origin + target.pathname, query: [...target.searchParams, ...missing] },
    needed.filter(({ slot }) => slot.into !== 'request_parameter'),
  )
}
