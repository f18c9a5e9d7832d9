/** The pages of one slice, one after the other → the same, without messages that came in place of the list. */
import { followPath } from '../../std/values/get-at.ts'
import { isList, isObject } from '../../std/values/objects.ts'
import { hasItems } from '../plan/decoder.ts'
import { recordPathOf } from '../records/extract.ts'
import { selectNothing } from '../records/select.ts'
import { isHollow, isMessage, isPlainError } from '../response/error-body.ts'
import type { PagePart } from './page.ts'
import type { OpenStream } from './stream.ts'

/**
 * Where earlier pages had a list, `{"message": "…"}` at its place is no record, and `{}` is no empty list: the list is missing. A single
 * object that looks like a record is one, as some APIs write a list of one.
 */
export function openListCheck({ plan, config }: Pick<OpenStream, 'plan' | 'config'>): (part: PagePart) => PagePart {
  const path = recordPathOf(plan.selector.extractor, config)
  if (path === null || path.includes('*') || hasItems(plan.decoder)) return (part) => part
  let hadList = false
  let known: readonly string[] | null = null
  return (part) => {
    const { selection, decoded } = part
    if (areOthers(selection.received, known)) return { ...part, selection: selectNothing('missing') }
    known ??= namesOf(selection.received[0])
    if (selection.receivedCount > 1) hadList = true
    if (selection.receivedCount > 1 || selection.list === 'ignored') return part
    const found = followPath(decoded.value, path)
    if (isList(found)) hadList = true
    const isOther =
      isMessage(found) || (isHollow(found) && (selection.list === 'found' || path.length === 0)) || holdsThings(found)
    return hadList && isOther ? { ...part, selection: selectNothing('missing') } : part
  }
}

/** An error as the only member of the list, or members without a value, none of which has a name that records of earlier pages have. */
function areOthers(received: readonly unknown[], known: readonly string[] | null): boolean {
  const [first] = received
  if (known === null || first === undefined) return false
  const isOther = (received.length === 1 && isPlainError(first)) || received.every(isHollow)
  return isOther && isObject(first) && known.every((name) => !Object.hasOwn(first, name))
}

/** Of a record that has values. */
function namesOf(first: unknown): readonly string[] | null {
  return isObject(first) && !isHollow(first) && !isPlainError(first) ? Object.keys(first) : null
}

/** An object around another list, or a map of objects, in place of the list. A record of a list of one has a name of its own. */
function holdsThings(found: unknown): boolean {
  if (!isObject(found) || names.some((name) => Object.hasOwn(found, name))) return false
  const members = Object.values(found)
  return (
    members.some((member) => isList(member) && isObject(member[0])) || (members.length > 0 && members.every(isObject))
  )
}

const names = ['id', '_id', 'uuid', 'guid', 'key', 'name']
