/** Values that nobody knows yet, in a form that survives templates, addresses and JSON, and is named in the end. */
import { hidden } from '../hidden.ts'

export type Placeholders = {
  /** Stands for a value: shown as `‹name›`. */
  readonly named: (name: string) => string
  /** Stands for a value that is never shown. */
  readonly secret: () => string
  /** The same text with names in place of what stood for them. */
  readonly reveal: (text: string) => string
}

/** Letters and digits only: whatever encodes it leaves it as it is, and it may be part of a host. */
export function openPlaceholders(): Placeholders {
  const shown: string[] = []
  const standIn = (text: string): string => {
    const known = shown.indexOf(text)
    if (known === -1) shown.push(text)
    return `xq7${known === -1 ? shown.length - 1 : known}q7x`
  }
  return {
    named: (name) => standIn(`‹${name}›`),
    secret: () => standIn(hidden),
    // A host, or a filter, may have changed the case.
    reveal: (text) => text.replaceAll(/xq7(\d+)q7x/gi, (stood, index: string) => shown[Number(index)] ?? stood),
  }
}
