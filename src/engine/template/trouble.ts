/** What can go wrong while a template runs, before it is known where: the inner error of this folder. */
import { type ErrorCode } from '../../errors.ts'
import { describe } from './values/describe.ts'

export type TroubleKind = 'undefined' | 'wrong-type' | 'failed' | 'forbidden' | 'too-much-work' | 'unknown-name'

export class Trouble extends Error {
  readonly kind: TroubleKind
  readonly hint: string | undefined
  constructor(kind: TroubleKind, message: string, hint?: string) {
    super(message)
    this.kind = kind
    this.hint = hint
  }
  get code(): ErrorCode {
    return `template/${this.kind}`
  }
}

/** Python's TypeError and AttributeError: the value is of a kind this cannot work with. */
export function wrongType(message: string): Trouble {
  return new Trouble('wrong-type', message)
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
  return wrongType(`${what} needs ${wanted}, not ${describe(met)}`)
}
