/** Text → the value Python's `ast.literal_eval` reads from it, or undefined when it keeps the text. */
import { float, integer } from '../../../std/json.ts'
import { maxIntegerDigits, maxValueDepth } from '../limits.ts'
import { spend } from '../meter.ts'
import { Trouble } from '../trouble.ts'
import { Bytes, Ellipsis, PySet, Tuple } from '../values/containers.ts'
import { hashable, mapSet, plainDict } from '../values/dict.ts'
import { same } from '../values/equality.ts'
import type { Value } from '../values/value.ts'
import { readLiteralStrings } from './literal-strings.ts'

/** Nothing else can begin a literal, so most strings are known not to be one by their first letters. */
const mayBegin = /^(?:[\s\d+\-.([{'"#\\]|(?:True|False|None|set)(?![\w"'])|(?:[rR][bB]?|[bB][rR]?|[uU])["'])/

/** One line that begins with a digit, and is no tuple: it is a number or no literal. */
const numberLine = /^\d[^,#\\\r\n]*$/
/** In no number, nor around it: found in times, and in amounts with units. */
const otherThanNumber = /[^\d_.eE+\-xXoObBa-fA-F \t\f]/

const numberPattern =
  /(?:0[xX](?:_?[\da-fA-F])+|0[bB](?:_?[01])+|0[oO](?:_?[0-7])+|(?:\d(?:_?\d)*)?\.\d(?:_?\d)*(?:[eE][+-]?\d(?:_?\d)*)?|\d(?:_?\d)*\.?(?:[eE][+-]?\d(?:_?\d)*)?)(?![\w.])/y
const wordPattern = /[A-Za-z]+(?![\w"'])/y
const stringStart = /(?:[rR][bB]|[bB][rR]|[rRuUbB])?["']/y
/** Within brackets newlines count as space; outside only spaces, tabs and form feeds do. */
const innerSpace = /(?:[ \t\f\n]|\\\n|#[^\n]*)*/y
const outerSpace = /(?:[ \t\f]|\\\n)*/y
const leadingLines = /^[ \t]*(?:[ \t\f]*(?:#[^\n]*)?\n)*/
const trailingLines = /^(?:[ \t\f]|\\\n)*(?:#[^\n]*)?(?:\n[ \t\f]*(?:#[^\n]*)?)*$/

export function literalEval(text: string): Value | undefined {
  if (!mayBegin.test(text) || text.includes('\0')) return undefined
  if (numberLine.test(text) && otherThanNumber.test(text)) return undefined
  const source = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
  try {
    return new LiteralParser(source).run()
  } catch (error) {
    if (error === notLiteral) return undefined
    // A list as a dict's key: Airbyte keeps the text.
    if (error instanceof Trouble && error.kind === 'wrong-type') return undefined
    throw error
  }
}

const notLiteral = new Error('not a literal')

class LiteralParser {
  readonly #source: string
  #position = 0
  #depth = 0

  constructor(source: string) {
    this.#source = source
  }

  run(): Value {
    this.#position = leadingLines.exec(this.#source)?.[0].length ?? 0
    // A line that is indented after an empty one is a fault in Python.
    if (this.#position > 0 && this.#source[this.#position - 1] === '\n' && /[ \t\f]/.test(this.#peek()))
      throw notLiteral
    const value = this.#sequence('')
    if (!trailingLines.test(this.#source.slice(this.#position))) throw notLiteral
    return value
  }

  #peek(): string {
    return this.#source[this.#position] ?? ''
  }

  #skipSpace(): void {
    const pattern = this.#depth > 0 ? innerSpace : outerSpace
    pattern.lastIndex = this.#position
    this.#position += pattern.exec(this.#source)?.[0].length ?? 0
  }

  #take(character: string): boolean {
    this.#skipSpace()
    if (this.#peek() !== character) return false
    this.#position += 1
    return true
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#position
    const found = pattern.exec(this.#source)
    if (found === null) return null
    this.#position = pattern.lastIndex
    return found[0]
  }

  /** One value, or several with commas: a tuple. */
  #sequence(close: ')' | ''): Value {
    const items: Value[] = []
    let isTuple = false
    this.#skipSpace()
    if (close !== '' && this.#take(close)) return new Tuple([])
    do {
      if (isTuple && this.#isAtEnd(close)) break
      items.push(this.#value())
      isTuple = isTuple || items.length > 1 || this.#isComma()
    } while (this.#take(','))
    if (close !== '' && !this.#take(close)) throw notLiteral
    return isTuple ? new Tuple(items) : (items[0] as Value)
  }

  #isComma(): boolean {
    this.#skipSpace()
    return this.#peek() === ','
  }

  #isAtEnd(close: string): boolean {
    this.#skipSpace()
    return close === '' ? trailingLines.test(this.#source.slice(this.#position)) : this.#peek() === close
  }

  #value(): Value {
    this.#skipSpace()
    spend(0.1)
    const character = this.#peek()
    switch (character) {
      case '(':
        return this.#bracketed(() => this.#sequence(')'))
      case '[':
        return this.#bracketed(() => this.#list())
      case '{':
        return this.#bracketed(() => this.#dictOrSet())
      case '-':
      case '+':
        this.#position += 1
        this.#skipSpace()
        return this.#number(character === '-')
    }
    if (/[\d.]/.test(character))
      return this.#source.startsWith('...', this.#position) ? this.#ellipsis() : this.#number(false)
    return this.#stringOrWord()
  }

  #bracketed(parse: () => Value): Value {
    this.#position += 1
    this.#depth += 1
    if (this.#depth > maxValueDepth) throw notLiteral
    const value = parse()
    this.#depth -= 1
    return value
  }

  #ellipsis(): Value {
    this.#position += 3
    return new Ellipsis()
  }

  #number(isNegative: boolean): Value {
    const text = this.#match(numberPattern)?.replaceAll('_', '')
    if (text === undefined) throw notLiteral
    if (/^0[xXbBoO]/.test(text)) return integer(isNegative ? -BigInt(text) : BigInt(text))
    if (/[.eE]/.test(text)) return float(isNegative ? -Number(text) : Number(text))
    if (/^0+[1-9]/.test(text) || text.length > maxIntegerDigits) throw notLiteral
    const value = integer(BigInt(text))
    return isNegative ? integer(-BigInt(value)) : value
  }

  #stringOrWord(): Value {
    stringStart.lastIndex = this.#position
    if (stringStart.test(this.#source)) {
      const found = readLiteralStrings(this.#source, this.#position, this.#depth > 0 ? innerSpace : outerSpace)
      if (found === null) throw notLiteral
      this.#position = found.end
      return found.isBytes ? new Bytes(Uint8Array.from(found.text, (octet) => octet.charCodeAt(0))) : found.text
    }
    switch (this.#match(wordPattern)) {
      case 'True':
        return true
      case 'False':
        return false
      case 'None':
        return null
      case 'set':
        if (this.#take('(') && this.#take(')')) return new PySet([])
    }
    throw notLiteral
  }

  #list(): Value {
    const items: Value[] = []
    while (!this.#take(']')) {
      if (items.length > 0 && !this.#take(',')) throw notLiteral
      if (items.length > 0 && this.#take(']')) break
      items.push(this.#value())
    }
    return items
  }

  #dictOrSet(): Value {
    if (this.#take('}')) return {}
    const first = this.#value()
    return this.#take(':') ? this.#dict(first) : this.#set(first)
  }

  #dict(firstKey: Value): Value {
    const entries = new Map<Value, Value>()
    let key = firstKey
    for (;;) {
      hashable(key)
      mapSet(entries, key, this.#value())
      if (this.#take('}')) return plainDict(entries) ?? entries
      if (!this.#take(',')) throw notLiteral
      if (this.#take('}')) return plainDict(entries) ?? entries
      key = this.#value()
      if (!this.#take(':')) throw notLiteral
    }
  }

  #set(first: Value): Value {
    const items: Value[] = []
    let item = first
    for (;;) {
      hashable(item)
      const candidate = item
      if (!items.some((held) => same(held, candidate))) items.push(item)
      spend(items.length / 10)
      if (this.#take('}')) return new PySet(items)
      if (!this.#take(',')) throw notLiteral
      if (this.#take('}')) return new PySet(items)
      item = this.#value()
    }
  }
}
