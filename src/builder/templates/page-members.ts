/** A page of a test read → the names it gives to templates. */
import { parseJson } from '../../std/json.ts'
import type { ReadPage } from '../../server/wire/test-read.ts'
import { type Member, memberOf } from './template-names.ts'

const known = new WeakMap<ReadPage, readonly Member[]>()

/** Of a body that is too long only its beginning is here, which is not JSON: then the server names its keys. */
export function pageMembers(page: ReadPage): readonly Member[] {
  const members = known.get(page) ?? membersOf(page)
  known.set(page, members)
  return members
}

function membersOf({ response, records, emitted }: ReadPage): readonly Member[] {
  const body = response.isCut ? undefined : readBody(response.body)
  const last = records.length === emitted ? records.at(-1) : undefined
  return [
    body === undefined
      ? { name: 'response', type: '', sample: 'too long to be shown here' }
      : memberOf('response', body),
    memberOf('headers', response.headers),
    ...(last === undefined ? [] : [memberOf('last_record', last), memberOf('record', last)]),
  ]
}

function readBody(text: string): unknown {
  try {
    return parseJson(text).value
  } catch {
    return undefined
  }
}
