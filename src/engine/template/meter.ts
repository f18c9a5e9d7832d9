/** Steps spent by the evaluation under way → nothing, or an end to it. */
import { maxListLength, maxSteps, maxTextLength } from './limits.ts'
import { tooMuchWork } from './trouble.ts'

// Evaluation is synchronous, so one counter serves: each evaluation sets it, and puts back what it found.
// Outside of evaluations (dates parsed by a slicer, say) nothing is metered.
let stepsLeft = Number.POSITIVE_INFINITY

export function startMeter(): number {
  const before = stepsLeft
  stepsLeft = maxSteps
  return before
}

export function restoreMeter(before: number): void {
  stepsLeft = before
}

export function spend(steps: number): void {
  stepsLeft -= steps
  if (stepsLeft < 0) throw tooMuchWork(`takes more than ${maxSteps} steps`)
}

/** Reserves room before a string of that length is made. */
export function spendText(length: number): void {
  if (length > maxTextLength) throw tooMuchWork(`makes a string of more than ${maxTextLength} characters`)
  spend(length >> 8)
}

/** Reserves room before a list of that length is made. */
export function spendList(length: number): void {
  if (length > maxListLength) throw tooMuchWork(`makes a list of more than ${maxListLength} members`)
  spend(length >> 5)
}
