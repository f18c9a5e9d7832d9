/** A regular expression → a string that matches. For simple ones, as in specs: classes, groups, repeats. */
import { schemaPattern } from '../../std/text/schema-pattern.ts'

export function sampleOf(pattern: string): string | null {
  const expression = schemaPattern(pattern)
  if (expression === null) return null
  try {
    const guess = new Sampler(pattern).alternatives()
    return (
      [guess, 'acme', '12345678', 'https://acme.example.com', 'acme.example.com'].find((text) =>
        expression.test(text),
      ) ?? null
    )
  } catch {
    return null
  }
}

const classes: Readonly<Record<string, string>> = { d: '1', w: 'a', s: ' ', D: 'a', W: '-', S: 'a', b: '', B: '' }

class Sampler {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  /** The first alternative that is not empty. */
  alternatives(): string {
    const found = [this.#sequence()]
    while (this.#take('|')) found.push(this.#sequence())
    return found.find((text) => text !== '') ?? ''
  }

  #sequence(): string {
    let made = ''
    while (this.#at < this.#text.length && !'|)'.includes(this.#peek())) {
      const one = this.#atom()
      made += one.repeat(this.#times())
    }
    return made
  }

  #atom(): string {
    const letter = this.#next()
    if (letter === '^' || letter === '$') return ''
    if (letter === '.') return 'a'
    if (letter === '[') return this.#class()
    if (letter === '(') return this.#group()
    if (letter !== '\\') return letter
    const escaped = this.#next()
    return classes[escaped] ?? escaped
  }

  #group(): string {
    const isAssertion = /^\?(?:[=!]|<[=!])/.test(this.#text.slice(this.#at))
    const marker = /^\?(?::|[=!]|<[=!]|<\w+>)/.exec(this.#text.slice(this.#at))
    this.#at += marker?.[0].length ?? 0
    const inner = this.alternatives()
    this.#take(')')
    return isAssertion ? '' : inner
  }

  /** The first member; a negated class is left for a letter it hardly excludes. */
  #class(): string {
    const isNegated = this.#take('^')
    const first = this.#next()
    const member = first === '\\' ? (classes[this.#peek()] ?? this.#peek()) : first
    while (this.#at < this.#text.length && this.#peek() !== ']') this.#at += this.#peek() === '\\' ? 2 : 1
    this.#take(']')
    return isNegated ? 'x' : member
  }

  #times(): number {
    const quantifier = /^(?:[*+?]|\{(\d+)(?:,\d*)?\})\??/.exec(this.#text.slice(this.#at))
    if (quantifier === null) return 1
    this.#at += quantifier[0].length
    return quantifier[1] === undefined ? 1 : Number(quantifier[1])
  }

  #peek(): string {
    return this.#text[this.#at] ?? ''
  }
  #next(): string {
    return this.#text[this.#at++] ?? ''
  }
  #take(letter: string): boolean {
    if (this.#peek() !== letter) return false
    this.#at++
    return true
  }
}
