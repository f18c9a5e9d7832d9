/** A seed → choices that are the same for the same seed. */
import { randomFrom } from './random.ts'

export type Dice = {
  readonly int: (least: number, most: number) => number
  readonly chance: (probability: number) => boolean
  readonly pick: <T>(choices: readonly T[]) => T
  /** Each as often as its weight says, among all weights. */
  readonly weigh: <T>(choices: readonly (readonly [weight: number, value: T])[]) => T
  readonly some: <T>(choices: readonly T[], probability: number) => T[]
}

export function diceOf(seed: number): Dice {
  // Neighbouring seeds begin alike in too many generators: the first throws are not used.
  const random = randomFrom(Math.imul(seed + 1, 0x9e3779b1))
  random()
  const int = (least: number, most: number) => least + Math.floor(random() * (most - least + 1))
  const pick = <T>(choices: readonly T[]): T => choices[int(0, choices.length - 1)] as T
  return {
    int,
    pick,
    chance: (probability) => random() < probability,
    weigh(choices) {
      let rest = random() * choices.reduce((sum, [weight]) => sum + weight, 0)
      for (const [weight, value] of choices) if ((rest -= weight) < 0) return value
      return (choices.at(-1) as (typeof choices)[number])[1]
    },
    some: (choices, probability) => choices.filter(() => random() < probability),
  }
}
