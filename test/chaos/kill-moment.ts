/** When to kill: moments spread over start, reading, committing, publishing and the end. */
import type { Dice } from './dice.ts'
import type { Phase } from './task.ts'

/** After the n-th time that something is seen, and so many milliseconds later. */
export type KillMoment = {
  readonly on: 'start' | 'request' | Exclude<Phase, 'starting' | 'reading'>
  readonly count: number
  readonly waitMs: number
}

/** Often while it reads, commits and publishes; now and then before and after. */
const chances: Readonly<Record<'start' | 'request' | 'committing' | 'publishing' | 'closing', number>> = {
  start: 1,
  request: 4,
  committing: 4,
  publishing: 3,
  closing: 1,
}

/** Few requests and commits, so that a sync dies several times before it is through. */
export function drawMoment(dice: Dice): KillMoment {
  const choices = Object.entries(chances).flatMap(([on, times]) => Array.from({ length: times }, () => on))
  const on = dice.pick(choices as (keyof typeof chances)[])
  switch (on) {
    case 'start':
      return { on, count: 1, waitMs: dice.between(0, 800) }
    case 'request':
      return { on, count: dice.between(1, 25), waitMs: dice.between(0, 8) }
    case 'committing':
      return { on, count: dice.between(1, 10), waitMs: dice.between(0, 4) }
    case 'publishing':
      return { on, count: dice.between(1, 2), waitMs: dice.between(0, 4) }
    case 'closing':
      return { on: dice.pick(['closing', 'over']), count: 1, waitMs: dice.between(0, 2) }
  }
}

export function momentText({ on, count, waitMs }: KillMoment): string {
  return `${waitMs} ms after ${on} ${count}`
}
