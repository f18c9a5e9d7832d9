/** Values → 64-bit hashes, as two numbers; allocates no objects or strings. */
import { stringifyJson } from '../json.ts'

/** A hash in the making: `start`, `add` what counts, `end`; then `low` and `high` hold 32 bits each, with a sign. */
export class Hash {
  low = 0
  high = 0

  /** Equal values under different seeds have different hashes. */
  start(seed = 0): this {
    this.low = 0x811c9dc5 ^ seed
    this.high = Math.imul(seed, 0x9e3779b1) | 0
    return this
  }

  /** Lengths and kinds count too: `'1', '2'` and `'1\n2', ''` and `1, 2` are three things. */
  add(value: unknown): this {
    if (typeof value === 'string') return this.#text(value)
    if (typeof value === 'number') return this.#number(value)
    return this.#text(stringifyJson(value) ?? '')
  }

  end(): this {
    this.low = stir(this.low)
    this.high = stir(this.high)
    return this
  }

  /** Two different mixing functions: strings that collide in one must not collide in the other. */
  #text(text: string): this {
    let low = Math.imul(this.low ^ text.length, 0x01000193)
    let high = Math.imul(this.high ^ text.length, 0x5bd1e995)
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index)
      low = Math.imul(low ^ unit, 0x01000193)
      high = Math.imul(high ^ unit, 0x5bd1e995)
      high ^= high >>> 15
    }
    this.low = low
    this.high = high
    return this
  }

  #number(value: number): this {
    const whole = value | 0
    if (whole === value) return this.#unit(whole, 1)
    float[0] = value
    return this.#unit(words[0] as number, 2).#unit(words[1] as number, 3)
  }

  #unit(unit: number, kind: number): this {
    this.low = Math.imul(stir(this.low ^ unit) ^ kind, 0x01000193)
    this.high = Math.imul(this.high ^ unit ^ (kind << 20), 0x5bd1e995)
    this.high ^= this.high >>> 15
    return this
  }
}

/** The hash as a short string. */
export function hashText(value: unknown): string {
  const { low, high } = new Hash().start().add(value).end()
  return (low >>> 0).toString(36) + (high >>> 0).toString(36)
}

const float = new Float64Array(1)
const words = new Int32Array(float.buffer)

/** Each bit of the number moves every bit of the result; different numbers stay different. */
export function stir(value: number): number {
  let stirred = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  stirred = Math.imul(stirred ^ (stirred >>> 13), 0xc2b2ae35)
  return stirred ^ (stirred >>> 16)
}
