/** Template text → tokens: literal text, the delimiters, and what is between them. */
import { SyntaxTrouble } from './syntax-error.ts'
import { type Float, float, integer } from '../../../std/json.ts'

export type Token =
  | { readonly type: 'text' | 'name' | 'string' | 'operator'; readonly text: string; readonly at: number }
  | { readonly type: 'number'; readonly value: number | bigint | Float; readonly text: string; readonly at: number }
  | {
      readonly type: 'output-start' | 'output-end' | 'tag-start' | 'tag-end' | 'end'
      readonly text: string
      readonly at: number
    }

const opening = /\{(?:%|\{|#)/g
const space = /\s*/y
const name = /[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}_]*/uy
const floatNumber = /(?<!\.)\d+(?:_\d+)*(?:(?:\.\d+(?:_\d+)*)?[eE][+-]?\d+(?:_\d+)*|\.\d+(?:_\d+)*)/y
const wholeNumber = /0[bB](?:_?[01])+|0[oO](?:_?[0-7])+|0[xX](?:_?[\da-fA-F])+|[1-9](?:_?\d)*|0(?:_?0)*/y
const quotedText = /'[^'\\]*(?:\\[\s\S][^'\\]*)*'|"[^"\\]*(?:\\[\s\S][^"\\]*)*"/y
const operator = /\/\/|\*\*|[=!<>]=|[-+/*%~[\](){}<>=.:|,;]/y
const rawStart = /\{%[-+]?\s*raw\s*(-?)%\}/y
const rawEnd = /\{%([-+]?)\s*endraw\s*([-+]?)%\}/g

/** Newlines become `\n`, and one at the very end is dropped: Jinja does both. */
export function normalise(source: string): string {
  return source.replace(/\r\n?/g, '\n').replace(/\n$/, '')
}

export function tokenize(source: string): Token[] {
  return new Lexer(source).run()
}

class Lexer {
  readonly #source: string
  readonly #tokens: Token[] = []
  #position = 0
  /** Set by `-%}`: the text that follows loses its leading space. */
  #trimsNext = false

  constructor(source: string) {
    this.#source = source
  }

  run(): Token[] {
    while (this.#position < this.#source.length) this.#textThenTag()
    this.#tokens.push({ type: 'end', text: '', at: this.#source.length })
    return this.#tokens
  }

  #textThenTag(): void {
    opening.lastIndex = this.#position
    const match = opening.exec(this.#source)
    const end = match?.index ?? this.#source.length
    const sign = this.#source[end + 2]
    this.#pushText(this.#position, end, sign === '-')
    this.#position = end
    if (match === null) return
    if (match[0] === '{#') this.#skipComment()
    else if (match[0] === '{{') this.#inside('output', '}}')
    else if (!this.#raw()) this.#inside('tag', '%}')
  }

  #pushText(start: number, end: number, trimsEnd: boolean): void {
    let text = this.#source.slice(start, end)
    if (this.#trimsNext) text = text.trimStart()
    if (trimsEnd) text = text.trimEnd()
    this.#trimsNext = false
    if (text !== '') this.#tokens.push({ type: 'text', text, at: start })
  }

  #skipComment(): void {
    const end = this.#source.indexOf('#}', this.#position + 2)
    if (end === -1) throw new SyntaxTrouble('the comment `{#` is never closed', this.#position)
    this.#trimsNext = this.#source[end - 1] === '-'
    this.#position = end + 2
  }

  /** `{% raw %}…{% endraw %}` is text, whatever it holds. */
  #raw(): boolean {
    const start = this.#match(rawStart)
    if (start === null) return false
    const at = this.#position
    rawEnd.lastIndex = at + start[0].length
    const end = rawEnd.exec(this.#source)
    if (end === null) throw new SyntaxTrouble('`{% raw %}` is never closed', at)
    this.#trimsNext = start[1] === '-'
    this.#pushText(at + start[0].length, end.index, end[1] === '-')
    this.#trimsNext = end[2] === '-'
    this.#position = rawEnd.lastIndex
    return true
  }

  #inside(kind: 'output' | 'tag', close: string): void {
    const start = this.#position
    this.#tokens.push({ type: `${kind}-start`, text: kind === 'output' ? '{{' : '{%', at: start })
    this.#position += 2
    if (/[-+]/.test(this.#source[this.#position] ?? '')) this.#position += 1
    const open: string[] = []
    for (;;) {
      this.#position += this.#match(space)?.[0].length ?? 0
      if (open.length === 0 && this.#closes(kind, close)) return
      if (this.#position >= this.#source.length) {
        // The parser has the better message for what is missing.
        return
      }
      this.#token(open)
    }
  }

  #closes(kind: 'output' | 'tag', close: string): boolean {
    const at = this.#position
    const sign = this.#source.startsWith(`-${close}`, at) ? '-' : ''
    if (sign === '' && !this.#source.startsWith(close, at)) {
      if (kind === 'output' || !this.#source.startsWith(`+${close}`, at)) return false
      this.#position += 1
    }
    this.#position += sign.length + close.length
    this.#trimsNext = sign === '-'
    this.#tokens.push({ type: `${kind}-end`, text: close, at })
    return true
  }

  #token(open: string[]): void {
    const at = this.#position
    const token = this.#number(at) ?? this.#nameOrString(at) ?? this.#operator(at, open)
    if (token === null) {
      const character = String.fromCodePoint(this.#source.codePointAt(at) ?? 0)
      throw new SyntaxTrouble(
        character === '"' || character === "'" ? 'a string is never closed' : `\`${character}\` has no meaning here`,
        at,
      )
    }
    this.#tokens.push(token)
    this.#position += token.text.length
  }

  #number(at: number): Token | null {
    const decimal = this.#match(floatNumber)
    if (decimal !== null) {
      const value = float(Number(decimal[0].replaceAll('_', '')))
      return { type: 'number', value, text: decimal[0], at }
    }
    const whole = this.#match(wholeNumber)
    if (whole === null) return null
    const value = integer(BigInt(whole[0].replaceAll('_', '')))
    return { type: 'number', value, text: whole[0], at }
  }

  #nameOrString(at: number): Token | null {
    const word = this.#match(name)
    if (word !== null) return { type: 'name', text: word[0], at }
    const text = this.#match(quotedText)
    return text === null ? null : { type: 'string', text: text[0], at }
  }

  #operator(at: number, open: string[]): Token | null {
    const sign = this.#match(operator)?.[0]
    if (sign === undefined) return null
    const closer = { '(': ')', '[': ']', '{': '}' }[sign]
    if (closer !== undefined) open.push(closer)
    else if (sign === ')' || sign === ']' || sign === '}') {
      const expected = open.pop()
      if (expected !== sign) {
        throw new SyntaxTrouble(
          expected === undefined ? `\`${sign}\` closes nothing` : `expected \`${expected}\`, found \`${sign}\``,
          at,
        )
      }
    }
    return { type: 'operator', text: sign, at }
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#position
    return pattern.exec(this.#source)
  }
}
