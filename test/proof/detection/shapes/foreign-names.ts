/** Shapes whose parameters have names that no list of usual ones has: whatever is said of them must rest on something else. */
import { diceOf } from '../../../helpers/dice.ts'
import type { Given, Paging, Placed, Said, Shape } from './shape.ts'
import { shapeOf } from './shape-of.ts'

const words =
  'seite anzahl batch chunk zz9 pagina lote hoja blad sivu trang velikost qx weiter fila bloc tranche nummer k7 menge'

/** The first so many that have parameters to rename, and pages of a plausible size. */
export function* foreignShapes(count: number, first = 0): Generator<Shape> {
  for (let seed = first, found = 0; found < count; seed++) {
    const shape = shapeOf(seed)
    if (shape.paging === null || shape.kind === 'GraphQL' || shape.paging.size.usual === 7) continue
    found++
    yield withForeignNames(shape, shape.paging)
  }
}

function withForeignNames(shape: Shape, { token, size, pastEnd }: Paging): Shape {
  const dice = diceOf(shape.seed)
  const all = words.split(' ')
  const [at, step] = [dice.int(0, all.length - 1), dice.int(1, all.length - 1)]
  const [first, second] = [all[at], all[(at + step) % all.length]] as [string, string]
  const renamed = new Map<string, string>()
  const rename = <T extends Placed | null>(placed: T, name: string): T => {
    if (placed === null) return placed
    renamed.set(placed.path.join('.'), name)
    return { ...placed, path: [name] }
  }
  const paging: Paging = {
    token: token.counts === 'path' ? token : { ...token, placed: rename(token.placed, first) },
    size: { ...size, placed: rename(size.placed, second) },
    pastEnd,
  }
  const echoed = ({ at: place, what }: Said): Said => {
    const name = what === 'page' || what === 'offset' ? first : what === 'size' ? second : null
    return { what, at: name === null ? place : [place[0], ...place.slice(1, -1), name] }
  }
  return { ...shape, paging, says: shape.says.map(echoed), given: givenWith(shape.given, renamed) }
}

function givenWith({ query, json, form }: Given, renamed: ReadonlyMap<string, string>): Given {
  const named = <T>(values: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [renamed.get(name) ?? name, value]))
  return { query: named(query), json: json && flat(json, renamed), form: form && named(form) }
}

/** `page.size` moves to the top as well: an object around a name would reveal what it is. */
function flat(json: Readonly<Record<string, unknown>>, renamed: ReadonlyMap<string, string>): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(json)) {
    const inner = [...renamed].filter(([path]) => path.startsWith(`${name}.`))
    if (inner.length === 0) found[renamed.get(name) ?? name] = value
    for (const [path, other] of inner) {
      const member = (value as Readonly<Record<string, unknown>>)[path.slice(name.length + 1)]
      if (member !== undefined) found[other] = member
    }
  }
  return found
}
