/** When to kill: moments spread over start, reading, committing, publishing and the end. */
import type { Dice } from './dice.ts'
import type { Phase } from './task.ts'

/** After the n-th time that something is seen, and so many milliseconds later. */
export type KillMoment = {
  readonly on: 'start' | 'request' | Exclude<Phase, 'starting' | 'reading'>
  readonly count: number
  readonly waitMs: number
}

/** Few requests and commits, so that a sync dies several times before it is through. */
export function drawMoment(dice: Dice): KillMoment {
  const on = dice.pick([
    'start',
    'request',
    'request',
    'committing',
    'committing',
    'publishing',
    'publishing',
    'closing',
  ] as const)
  switch (on) {
    case 'start':
      return { on, count: 1, waitMs: dice.between(0, 800) }
    case 'request':
      return { on, count: dice.between(1, 25), waitMs: dice.between(0, 8) }
    case 'committing':
      return { on, count: dice.between(1, 10), waitMs: dice.between(0, 4) }
    case 'publishing':
      return { on, count: dice.between(1, 3), waitMs: dice.between(0, 4) }
    case 'closing':
      return { on: dice.pick(['closing', 'over']), count: 1, waitMs: dice.between(0, 2) }
  }
}

export function momentText({ on, count, waitMs }: KillMoment): string {
  return `${waitMs} ms after ${on} ${count}`
}
