/** Tokens → one at a time, with the checks every parser makes, and the limits on what it may build. */
import { maxChain, maxNesting, maxNodes } from '../limits.ts'
import { SyntaxTrouble } from './syntax-error.ts'
import type { Token } from './tokens.ts'

export class TokenStream {
  readonly #tokens: readonly Token[]
  #index = 0
  #depth = 0
  #nodes = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  get current(): Token {
    return this.#tokens[Math.min(this.#index, this.#tokens.length - 1)] as Token
  }
  get following(): Token {
    return this.#tokens[Math.min(this.#index + 1, this.#tokens.length - 1)] as Token
  }
  next(): Token {
    const token = this.current
    this.#index += 1
    return token
  }
  isOperator(text: string): boolean {
    return this.current.type === 'operator' && this.current.text === text
  }
  isName(text: string): boolean {
    return this.current.type === 'name' && this.current.text === text
  }
  skipOperator(text: string): boolean {
    if (!this.isOperator(text)) return false
    this.#index += 1
    return true
  }
  skipName(text: string): boolean {
    if (!this.isName(text)) return false
    this.#index += 1
    return true
  }
  expectOperator(text: string): Token {
    return this.isOperator(text) ? this.next() : this.fail(`expected \`${text}\`, found ${this.shown()}`)
  }
  expectName(what: string): string {
    return this.current.type === 'name' ? this.next().text : this.fail(`expected ${what}, found ${this.shown()}`)
  }
  expectType(type: Token['type'], shown: string): Token {
    return this.current.type === type ? this.next() : this.fail(`expected ${shown}, found ${this.shown()}`)
  }
  /** The current token, as a message names it. */
  shown(): string {
    return this.current.type === 'end' ? 'the end of the template' : `\`${this.current.text.slice(0, 40)}\``
  }
  fail(message: string, at = this.current.at): never {
    throw new SyntaxTrouble(message, at)
  }

  /** Runs a parser one level of brackets or blocks further in. */
  nested<T>(parse: () => T): T {
    this.#depth += 1
    if (this.#depth > maxNesting) this.#tooMuch(`nests deeper than ${maxNesting} levels`)
    const result = parse()
    this.#depth -= 1
    return result
  }
  /** Counts one more part of the template; `link` is its place in a chain of operators. */
  count(link = 0): void {
    this.#nodes += 1
    if (this.#nodes > maxNodes) this.#tooMuch(`has more than ${maxNodes} parts`)
    if (link > maxChain) this.#tooMuch(`chains more than ${maxChain} operations`)
  }
  #tooMuch(message: string): never {
    throw new SyntaxTrouble(message, this.current.at, 'template/too-much-work')
  }
}
