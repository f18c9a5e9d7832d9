/** Chance that can be had again: the same seed throws the same numbers. */
import { randomFrom } from '../helpers/random.ts'

export type Dice = {
  /** From 0 up to, not including, 1. */
  roll(): number
  /** A whole number, both ends included. */
  between(low: number, high: number): number
  pick<T>(choices: readonly T[]): T
}

export function diceOf(seed: number): Dice {
  const roll = randomFrom(seed)
  const between = (low: number, high: number) => low + Math.floor(roll() * (high - low + 1))
  return {
    roll,
    between,
    pick: <T>(choices: readonly T[]) => choices[between(0, choices.length - 1)] as T,
  }
}
