/** The headers of one response → their claims: how many records there are, and whether another page follows. */
import { linksOf } from '../../engine/pagination/link-header.ts'
import { headerMeaningsOf } from '../names/claim-names.ts'
import { claimsIn, type Found } from './envelope-claims.ts'
import { jsonInHeader, rangeTotal } from './response-place.ts'

type Headers = Readonly<Record<string, string>>

export function claimsInHeaders(headers: Headers): Found {
  const found = claimsIn({ ...plainEnvelope, place: ['header'], members: headers }, headerMeaningsOf)
  const { numbers, nexts, previous, starts } = found
  const total = rangeTotal(headers['content-range'])
  if (total !== null) {
    numbers.push({ counts: 'records', place: ['header', 'content-range'], value: total, plus: 0, isNamed: true })
  }
  if (headers.link !== undefined) {
    const links = linksOf(headers.link)
    const names = Object.keys(links)
    // A header that links to other pages, but to no next one, says so; one about styles or schemas says nothing.
    const isOfPages = names.some((name) => /^(first|prev|previous|last)$/.test(name))
    if (links.prev !== undefined || links.previous !== undefined) previous.push(['header', 'link', 'prev'])
    else if (isOfPages) starts.push(['header', 'link', 'prev'])
    if (links.next !== undefined)
      nexts.push({ place: ['header', 'link', 'next'], kind: 'link', says: 'more', isNamed: true })
    else if (isOfPages) nexts.push({ place: ['header', 'link', 'next'], kind: 'link', says: 'end', isNamed: true })
  }
  for (const name of jsonHeaders) {
    const members = jsonInHeader(headers[name])
    if (members === null) continue
    const inside = claimsIn({ ...plainEnvelope, place: ['header', name], members })
    numbers.push(...inside.numbers)
    nexts.push(...inside.nexts)
  }
  return found
}

const plainEnvelope = { mayBeThing: false, hasOtherLists: false }

/** ASP.NET services put an envelope into a header. */
const jsonHeaders = ['x-pagination', 'pagination']
