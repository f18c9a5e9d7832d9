/** APIs whose parameters count: records to skip, or pages. */
import { type Drawing, type Drawn, drawInto, drawMeta, drawRecordPath, drawSize, placedAs } from './draw-paging.ts'
import { offsetPairs, pagePairs, pageTotals, totals } from './names.ts'
import type { Kind, Paging, Place, Said, Token } from './shape.ts'

export type CountedKind = Extract<Kind, `offset${string}` | `page from ${string}`>

export function drawCounted(drawing: Drawing, kind: CountedKind): Drawn {
  const { dice } = drawing
  const isOffset = kind.startsWith('offset')
  const isCounting = kind.endsWith('total') ? kind.includes('with a') : kind.endsWith('total pages')
  const [tokenWords, sizeWords] = dice.weigh(isOffset ? offsetPairs : pagePairs)
  const { method, into } = drawInto(dice)
  const placed = placedAs(drawing, into, tokenWords)
  const token: Token = isOffset
    ? { counts: 'offset', placed }
    : { counts: 'page', placed, first: kind.includes('from 0') ? 0 : 1, zero: dice.chance(0.5) ? 'alike' : 'refused' }
  const size = drawSize(dice, dice.chance(0.88) ? placedAs(drawing, into, sizeWords) : null)
  const paging: Paging = { token, size, pastEnd: drawPastEnd(drawing, isOffset) }
  const isCountedInHeader = isCounting && dice.chance(0.15)
  const recordPath = drawRecordPath(drawing, !isCounting || isCountedInHeader)
  const says = isCountedInHeader ? headersOf(drawing, isOffset) : []
  if (recordPath.length > 0) says.push(...bodySays(drawing, { isOffset, isCounting, tokenWords, sizeWords }))
  return { method, paging, says, next: null, recordPath, dress: 'plain' }
}

function drawPastEnd({ dice }: Drawing, isOffset: boolean): Paging['pastEnd'] {
  return dice.weigh([
    [isOffset ? 94 : 78, 'empty'],
    [isOffset ? 3 : 14, 'not-found'],
    [isOffset ? 3 : 8, 'clamped'],
  ])
}

function headersOf({ dice }: Drawing, isOffset: boolean): Said[] {
  const total: Said = { at: ['header', dice.pick(['X-Total-Count', 'X-Total', 'Total-Count'])], what: 'total' }
  return isOffset ? [total] : [{ at: ['header', 'X-Total-Pages'], what: 'pages' }, total]
}

type Words = { isOffset: boolean; isCounting: boolean; tokenWords: string; sizeWords: string }

function bodySays(drawing: Drawing, { isOffset, isCounting, tokenWords, sizeWords }: Words): Said[] {
  const { dice } = drawing
  const at: (words: string) => Place = drawMeta(drawing)
  const says: Said[] = []
  if (isCounting && isOffset) says.push({ at: at(dice.pick(totals)), what: 'total' })
  if (isCounting && !isOffset) {
    says.push({ at: at(dice.pick(pageTotals)), what: 'pages' })
    if (dice.chance(0.5)) says.push({ at: at(dice.pick(totals)), what: 'total' })
  }
  if (dice.chance(isCounting ? 0.6 : 0.3)) {
    says.push({ at: at(echo(tokenWords)), what: isOffset ? 'offset' : 'page' })
    says.push({ at: at(echo(sizeWords)), what: 'size' })
  }
  if (dice.chance(0.15)) says.push({ at: at('count'), what: 'count' })
  if (!isCounting && dice.chance(0.2)) says.push({ at: at('has more'), what: 'has-more' })
  return says
}

/** `page[number]` and `$skip` come back as plain words. */
function echo(words: string): string {
  return words.startsWith('=') ? words.replace(/^=(.*\[|\$|sysparm_)/, '').replace(']', '') : words
}
