/** What can go wrong while a template runs, before it is known where: the inner error of this folder. */
import { type ErrorCode } from '../../std/errors.ts'
import { describe } from './values/describe.ts'
import { kindOf } from './values/kind.ts'

export type TroubleKind = 'undefined' | 'wrong-type' | 'failed' | 'forbidden' | 'too-much-work' | 'unknown-name'

type TroubleDetails = { readonly hint?: string | undefined; readonly isOfNothing?: boolean }

export class Trouble extends Error {
  readonly kind: TroubleKind
  readonly hint: string | undefined
  /** The value it stumbled over is missing or None, so that the template may well be right and the page have no such value. */
  readonly isOfNothing: boolean
  constructor(kind: TroubleKind, message: string, { hint, isOfNothing = false }: TroubleDetails = {}) {
    super(message)
    this.kind = kind
    this.hint = hint
    this.isOfNothing = isOfNothing
  }
  get code(): ErrorCode {
    return `template/${this.kind}`
  }
}

/** Python's TypeError and AttributeError: one of the values met is of a kind this cannot work with. */
export function wrongType(message: string, ...met: readonly unknown[]): Trouble {
  return new Trouble('wrong-type', message, { isOfNothing: met.some(isNothing) })
}

/** None, or not there at all. */
export function isNothing(value: unknown): boolean {
  const kind = kindOf(value)
  return kind === 'none' || kind === 'undefined'
}

/** Python's ValueError, ZeroDivisionError, IndexError and the like. */
export function failed(message: string): Trouble {
  return new Trouble('failed', message)
}

export function tooMuchWork(message: string): Trouble {
  return new Trouble('too-much-work', message)
}

/** "`reverse` needs a list, not int 5" */
export function needs(what: string, wanted: string, met: unknown): Trouble {
  return wrongType(`${what} needs ${wanted}, not ${describe(met)}`, met)
}
