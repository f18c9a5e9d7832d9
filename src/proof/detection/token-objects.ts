/** One page → objects on it whose members all go back as parameters to ask for the next one: `continue: {a: …, b: …}`. */
import { isList, isObject, type Members } from '../../std/values/objects.ts'
import { wordsOf } from '../names/name-words.ts'
import { isSamePath } from './leaves.ts'
import { inQuery, type Put, type Value } from './question.ts'

export type TokenObject = {
  readonly path: readonly string[]
  readonly members: Readonly<Record<string, Value>>
}

const deepest = 4
const mostMembers = 12

export function tokenObjectsIn(body: unknown, listPath: readonly string[]): TokenObject[] {
  const found: TokenObject[] = []
  const visit = (value: unknown, path: readonly string[]) => {
    if (!isObject(value) || isList(value) || path.length > deepest || isSamePath(path, listPath)) return
    const members = path.length > 0 && isOfNext(path.at(-1) ?? '') ? tokensOf(value) : null
    if (members !== null) found.push({ path, members })
    else for (const name of Object.keys(value).slice(0, 100)) visit(value[name], [...path, name])
  }
  visit(body, [])
  return found
}

export function putsOf({ members }: TokenObject): Put[] {
  return Object.entries(members).map(([name, value]) => ({ slot: inQuery(name), value }))
}

/** `continue`, `query-continue`, `next`, `nextPageParams`, and no `next_run`. */
function isOfNext(name: string): boolean {
  const words = wordsOf(name)
  if (words.some((word) => /^(run|payment|event|billing|invoice|reset|sync|prev|previous)$/.test(word))) return false
  return words.some((word) => /^(next|continue|continuation|following)$/.test(word))
}

/** A single token is found by its own name. */
function tokensOf(value: Members): Readonly<Record<string, Value>> | null {
  const entries = Object.entries(value)
  const isToken = (one: unknown): one is Value =>
    typeof one === 'number' ||
    typeof one === 'bigint' ||
    (typeof one === 'string' && !/^(https?:\/\/|\/|\?)\S+$/i.test(one))
  if (entries.length < 2 || entries.length > mostMembers) return null
  const tokens = entries.filter((entry): entry is [string, Value] => isToken(entry[1]))
  return tokens.length === entries.length ? Object.fromEntries(tokens) : null
}
