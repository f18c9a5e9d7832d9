/** A JSON document too large to hold → the members of one list in it, each as soon as it is whole. */
import { parseJson } from '../../../std/json.ts'
import { FormatError, type ItemParser, longestItem, startOf, tooLong } from './item-parser.ts'

type Container = { readonly isList: boolean; readonly path: string }

/** What may come next. */
type Expected = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end' | 'nothing'

/** No valid body nests this deep, or has numbers of this many digits. */
const deepest = 1_000
const longestScalar = 10_000

/**
 * Names of members joined by dots lead to the list, `item` means the members of a list on the way: the spelling of
 * Python's ijson. Only what lies on that path is looked at; an item's own text is cut out and parsed like any JSON.
 *
 * @example parseJsonItems('data.users').read('{"data":{"users":[{"id":1},{"id"') // [{ id: 1 }]
 */
export function parseJsonItems(listPath: string): ItemParser {
  const wanted = `${listPath}.item`
  const containers: Container[] = []
  let expected: Expected = 'value'
  let key = ''
  /** Not consumed yet, from the start of an open token or item. */
  let text = ''
  let at = 0
  let consumed = 0
  let isInString = false
  /** Where the token or item under way starts, and how many brackets are open inside a wanted one. */
  let start = -1
  let depth = 0
  let isWanted = false
  let hasFloats = false

  const fail = (wrong: string) => new FormatError(`${wrong} at character ${consumed + at + 1}`)
  const met = () => startOf(text.slice(at, at + 40))

  const pathHere = (): string => {
    const parent = containers.at(-1)
    const name = parent?.isList ? 'item' : key
    return parent === undefined ? '' : parent.path === '' ? name : `${parent.path}.${name}`
  }
  const afterValue = () => {
    expected = containers.length === 0 ? 'nothing' : 'comma or end'
    start = -1
    isWanted = false
  }
  const emit = (items: unknown[], end: number) => {
    try {
      const parsed = parseJson(text.slice(start, end))
      hasFloats ||= parsed.hasFloats
      items.push(parsed.value)
    } catch (cause) {
      const wrong = `an item is not JSON: ${startOf(text.slice(start, end))}, which ends at character ${consumed + end}`
      throw new FormatError(wrong, { cause })
    }
    afterValue()
  }
  const beginValue = () => {
    if (expected !== 'value' && expected !== 'value or end') throw fail(`${met()} is where no value belongs,`)
    isWanted = pathHere() === wanted
    start = at
  }
  const open = (isList: boolean) => {
    beginValue()
    at++
    if (isWanted) {
      depth = 1
      return
    }
    if (containers.length >= deepest) throw fail(`the JSON nests deeper than ${deepest} levels`)
    containers.push({ isList, path: pathHere() })
    expected = isList ? 'value or end' : 'key or end'
    start = -1
  }
  const close = (isList: boolean) => {
    const isOpen = containers.at(-1)?.isList === isList
    const isAllowed = expected === 'comma or end' || expected === (isList ? 'value or end' : 'key or end')
    if (!isOpen || !isAllowed) throw fail(`${met()} closes what is not open,`)
    containers.pop()
    at++
    afterValue()
  }
  const openString = () => {
    if (expected === 'key' || expected === 'key or end') start = at
    else beginValue()
    isInString = true
    at++
  }
  /** False when the text is over before the string is. */
  const endString = (items: unknown[]): boolean => {
    const end = closingQuote(text, at)
    at = end === -1 ? text.length : end + 1
    if (end === -1) return false
    isInString = false
    if (depth > 0) return true
    if (isWanted) emit(items, at)
    else if (expected === 'key' || expected === 'key or end') {
      key = keyIn(text.slice(start, at), fail)
      expected = 'colon'
      start = -1
    } else afterValue()
    return true
  }
  /** Inside a wanted object or list only brackets and strings matter. */
  const passItem = (items: unknown[]): boolean => {
    structural.lastIndex = at
    const found = structural.exec(text)
    at = found === null ? text.length : found.index + 1
    if (found === null) return false
    if (found[0] === '"') isInString = true
    else if (found[0] === '{' || found[0] === '[') depth++
    else if (--depth === 0) emit(items, at)
    return true
  }
  const passScalar = (items: unknown[], isEnd: boolean): boolean => {
    scalarEnd.lastIndex = at
    const end = scalarEnd.exec(text)?.index ?? text.length
    if (end - at > longestScalar) throw fail(`${met()} is not JSON,`)
    // It may continue in the next piece.
    if (end === text.length && !isEnd) return false
    beginValue()
    if (!isScalar.test(text.slice(at, end))) throw fail(`${met()} is not JSON,`)
    at = end
    if (isWanted) emit(items, end)
    else afterValue()
    return true
  }
  const separator = (from: Expected, to: Expected) => {
    if (expected !== from) throw fail(`${met()} is where none belongs,`)
    expected = to
    at++
  }
  /** One token. False when more text is needed. */
  const step = (items: unknown[], isEnd: boolean): boolean => {
    if (isInString) return endString(items)
    if (depth > 0) return passItem(items)
    notSpace.lastIndex = at
    at = notSpace.exec(text)?.index ?? text.length
    switch (text[at]) {
      case undefined:
        return false
      case '"':
        openString()
        return true
      case '{':
      case '[':
        open(text[at] === '[')
        return true
      case '}':
      case ']':
        close(text[at] === ']')
        return true
      case ':':
        separator('colon', 'value')
        return true
      case ',':
        separator('comma or end', containers.at(-1)?.isList ? 'value' : 'key')
        return true
      default:
        return passScalar(items, isEnd)
    }
  }
  const run = (more: string, isEnd: boolean): unknown[] => {
    const kept = start === -1 ? at : start
    text = text.slice(kept) + more
    consumed += kept
    at -= kept
    if (start !== -1) start = 0
    const items: unknown[] = []
    while (step(items, isEnd));
    if (text.length - (start === -1 ? at : start) > longestItem) throw tooLong('one item')
    return items
  }

  return {
    read: (more) => run(more, false),
    end() {
      const items = run('', true)
      if (expected === 'nothing') return items
      throw new FormatError('it ends in the middle of its JSON')
    },
    get hasFloats() {
      return hasFloats
    },
  }
}

function keyIn(literal: string, fail: (wrong: string) => FormatError): string {
  try {
    return JSON.parse(literal) as string
  } catch {
    throw fail(`${startOf(literal)} is not a name,`)
  }
}

/** What matters inside an object or a list that is taken whole. */
const structural = /["[\]{}]/g
const notSpace = /[^ \t\n\r]/g
const scalarEnd = /[ \t\n\r,:[\]{}"]/g
const isScalar = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/

/** The quote that ends the string which `from` lies in, or -1. */
function closingQuote(text: string, from: number): number {
  let quote = text.indexOf('"', from)
  while (quote !== -1 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1)
  return quote
}

function isEscaped(text: string, index: number): boolean {
  let before = index - 1
  while (text[before] === '\\') before--
  return (index - before) % 2 === 0
}
