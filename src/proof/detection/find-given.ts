/** A number in the given request → whether it selects the page, shown by where known records appear. */
import type { Numbered } from './confirm.ts'
import type { Mover } from './guesses.ts'
import { areEqual, isNew, type ProbedPage } from './probed-pages.ts'
import { isSameSlot, type Put, type Slot, slotName, type BaseRequest } from './probe-request.ts'
import { slotsFor, givenSlots } from './slots.ts'
import { sendProbe, type DetectionSession } from './detection-session.ts'
import { isObject } from '../../std/values/objects.ts'
import { isNameOf, isPagingName } from '../names/paging-names.ts'

type FoundGiven = {
  /** From its first page on: the one that was given may be another. */
  readonly session: DetectionSession
  readonly found: Numbered & { readonly mover: Mover }
}

const mostTried = 3

export async function findGiven(session: DetectionSession): Promise<FoundGiven | null> {
  for (const given of givenNumbers(session.question).slice(0, mostTried)) {
    // A number that turns out to choose other things brings records that are none of this list.
    const found = session.first.keys.length < 2 ? null : await tryGiven({ ...session, seen: [] }, given)
    if (found !== null) return fromTheFirst(session, given, found)
  }
  return null
}

async function tryGiven(session: DetectionSession, { slot, value }: GivenNumber): Promise<FoundGiven['found'] | null> {
  const { first } = session
  const next = await pageAt(session, slot, value + 1)
  if (next !== null && next.keys.length > 0) return compared(session, { slot, value }, next)
  // The last page was given: the one before it shows as much.
  const before = value > 1 ? await pageAt(session, slot, value - 1) : null
  return before === null ? null : compared({ ...session, first: before }, { slot, value: value - 1 }, first)
}

async function pageAt(session: DetectionSession, slot: Slot, value: number): Promise<ProbedPage | null> {
  const probed = await sendProbe(session, `Does ${nameOf(slot)} change the page?`, [{ slot, value }])
  return probed?.page ?? null
}

/** `session.first` is the page for the value, `next` the page for the value plus one. */
async function compared(
  session: DetectionSession,
  given: GivenNumber,
  next: ProbedPage,
): Promise<FoundGiven['found'] | null> {
  const { slot } = given
  const { keys } = session.first
  const shared = Math.min(next.keys.length, keys.length - 1)
  if (shared > 0 && areEqual(next.keys.slice(0, shared), keys.slice(1, 1 + shared)))
    return {
      mover: { kind: 'offset', slot, base: 1 },
      size: sizesFor(session, slot)[0] ?? null,
      evidence: [`one more in ${nameOf(slot)} begins one record later`],
    }
  return isNew(next.keys, keys) && slot.after === undefined ? byOneRecord(session, given) : null
}

/** Another page, or other data: with pages of one record, counting predicts which record comes. */
async function byOneRecord(
  session: DetectionSession,
  { slot, value }: GivenNumber,
): Promise<FoundGiven['found'] | null> {
  const { keys } = session.first
  const known = sizesFor(session, slot)
  const sizes = known.length > 0 ? known.slice(0, 1) : slotsFor('size', session).slice(0, 24)
  for (const base of value === 0 ? ([0] as const) : ([1, 0] as const)) {
    const page = (value - base) * keys.length + base + 1
    const puts = [{ slot, value: page }, ...sizes.map((size): Put => ({ slot: size, value: 1 }))]
    const probed = await sendProbe(session, `Does ${nameOf(slot)} count pages from ${base}?`, puts)
    const got = probed?.page?.keys ?? []
    if (got.length === 1 && got[0] === keys[1])
      return {
        mover: { kind: 'page', slot, base },
        size: known[0] ?? null,
        evidence: [`page ${page} of one record each is the one that counting from ${base} predicts`],
      }
  }
  return null
}

/** Size parameters whose value is the number of records received. */
function sizesFor(session: DetectionSession, slot: Slot): Slot[] {
  if (slot.after !== undefined) return []
  const given = givenSizes(session.question, session.first.keys.length).filter((one) => !isSameSlot(one, slot))
  const hinted = slotsFor('size', session).filter(
    ({ into, path }) => into !== 'header' && session.hints.includes(path[0] ?? ''),
  )
  return [...given, ...hinted]
}

async function fromTheFirst(
  session: DetectionSession,
  { slot, value }: GivenNumber,
  found: FoundGiven['found'],
): Promise<FoundGiven | null> {
  const start = found.mover.kind === 'page' ? found.mover.base : 0
  const puts: Put[] = [{ slot, value: start }]
  const first = value === start ? session.first : await pageAt(session, slot, start)
  if (first === null) return null
  const needed = [...session.needed.filter((put) => !isSameSlot(put.slot, slot)), ...puts]
  return { session: { ...session, first, needed }, found }
}

function nameOf(slot: Slot): string {
  return slot.into === 'path' ? 'the number in the path' : slotName(slot)
}

/** The numbers in the given request that may select the page, whatever their names are. */
type GivenNumber = { readonly slot: Slot; readonly value: number }

const small = /^\d{1,6}$/

/** Both numbers in one value first, as hardly anything else is written so; then the end of the path, then the rest. */
function givenNumbers(question: BaseRequest): GivenNumber[] {
  return [...pairsIn(question), ...inPath(question), ...foreignIn(question)]
}

/** Parameters that ask for as many records as came. */
function givenSizes(question: BaseRequest, count: number): Slot[] {
  return givenSlots(question).filter((slot) => {
    const name = slot.path.at(-1) ?? ''
    return valueAt(question, slot) === String(count) && (isNameOf('size', name) || !isPagingName(name))
  })
}

/** `range=0,100`: where to begin, and how many. */
function pairsIn({ query }: BaseRequest): GivenNumber[] {
  return query.flatMap(([name, text]): GivenNumber[] => {
    const [, start, limit] = /^(\d{1,6}),(\d{1,4})$/.exec(text) ?? []
    if (start === undefined) return []
    return [{ slot: { into: 'request_parameter', path: [name], after: `,${limit}` }, value: Number(start) }]
  })
}

/** `/orders/page/3`, `/orders/1`. A number further in front is the id of something. */
function inPath({ address }: BaseRequest): GivenNumber[] {
  const last = new URL(address).pathname.split('/').at(-1) ?? ''
  return small.test(last) ? [{ slot: { into: 'path', path: ['0'] }, value: Number(last) }] : []
}

/** Those with a usual name are tried anyway. */
function foreignIn(question: BaseRequest): GivenNumber[] {
  return givenSlots(question).flatMap((slot): GivenNumber[] => {
    const text = valueAt(question, slot)
    return text !== null && small.test(text) && !isPagingName(slot.path.at(-1) ?? '')
      ? [{ slot, value: Number(text) }]
      : []
  })
}

function valueAt({ query, form, json }: BaseRequest, { into, path }: Slot): string | null {
  if (into !== 'body_json') {
    const pairs = into === 'body_data' ? (form ?? []) : query
    return pairs.find(([name]) => name === path[0])?.[1] ?? null
  }
  let value: unknown = json
  for (const name of path) value = isObject(value) ? value[name] : undefined
  return typeof value === 'number' || typeof value === 'string' ? String(value) : null
}
