/** A seed → an API, drawn from what real ones do. */
import { styled } from '../../../../src/proof/names/name-style.ts'
import { drawAround, drawBeside, drawRecords } from './around.ts'
import { type Dice, diceOf } from '../../../helpers/dice.ts'
import { type Drawn, type Drawing, drawPaging } from './draw-paging.ts'
import { basePaths, drawStyle, resources } from './names.ts'
import { type Kind, kinds, type Place, type Said, type Shape } from './shape.ts'

export function shapeOf(seed: number): Shape {
  const dice = diceOf(seed)
  const kind = kinds[seed % kinds.length] as Kind
  const style = drawStyle(dice)
  const resource = dice.pick(resources)
  const drawing: Drawing = { dice, style, kind, resource, name: (words) => styled(words, style) }
  return shapeWith(seed, drawing, drawPaging(drawing))
}

export function shapeWith(seed: number, drawing: Drawing, drawn: Drawn): Shape {
  const { dice, kind, resource } = drawing
  const records = drawRecords(drawing, drawn)
  return {
    seed,
    kind,
    path: drawn.path ?? `${dice.pick(basePaths)}/${resource}`,
    ...drawAround(drawing, drawn),
    records,
    recordPath: drawn.recordPath,
    beside: withoutClashes(drawBeside(drawing, drawn), ({ path }) => ['body', ...path], [...placesOf(drawn)]),
    paging: drawn.paging,
    says: withoutClashes(drawn.says, ({ at }) => at, placesOf({ ...drawn, says: [] })),
    next: drawn.next,
    unknown: drawUnknown(dice, drawn),
  }
}

/** Where nothing on the page hints at the names of its parameters, an API that refuses others usually lists its own. */
function drawUnknown(dice: Dice, { says, next, paging }: Drawn): Shape['unknown'] {
  if (!dice.chance(0.18)) return 'ignored'
  const isHinted = next !== null || paging === null || says.some(({ what }) => ['page', 'offset'].includes(what))
  return dice.chance(isHinted ? 0.4 : 0.85) ? 'listed' : 'named'
}

function placesOf({ recordPath, next, says }: Pick<Drawn, 'recordPath' | 'next' | 'says'>): Place[] {
  return [['body', ...recordPath], ...(next === null ? [] : [next.at]), ...says.map(({ at }) => at)]
}

/** Two things cannot be in one place, nor one within the other: the first one stays. */
function withoutClashes<T extends Said | object>(list: readonly T[], placeOf: (one: T) => Place, taken: Place[]): T[] {
  const places = [...taken]
  return list.filter((one) => {
    const place = placeOf(one)
    if (places.some((other) => isWithin(place, other) || isWithin(other, place))) return false
    places.push(place)
    return true
  })
}

function isWithin(inner: Place, outer: Place): boolean {
  return outer.every((name, index) => inner[index]?.toLowerCase() === name.toLowerCase())
}
