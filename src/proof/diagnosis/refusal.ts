/** The body of a refusal → what it says besides its message: whether it is an answer for programs, and its codes. */
import { isList, isObject } from '../../std/values/objects.ts'

export type Refusal = {
  /** A page for people that says `not found` speaks of its address. */
  readonly isJson: boolean
  /** `page_out_of_range`, `OFFSET_TOO_LARGE` */
  readonly codes: readonly string[]
}

/** More of a refusal is not kept. */
export const mostRefusalBytes = 4_096

export function refusalIn(body: Uint8Array): Refusal {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString('utf8'))
    return { isJson: isObject(value) || isList(value), codes: codesIn(value, deepest) }
  } catch {
    return { isJson: false, codes: [] }
  }
}

const deepest = 4
const codeName = /^(error|err)?[_-]?(code|type|reason|status|key|id)$/i
/** Several words in one: a number or a lone word says too little. */
const codeWords = /^[A-Za-z]+([_.-][A-Za-z]+|[a-z][A-Z][a-z]+)+$/

function codesIn(value: unknown, depth: number): string[] {
  if (depth === 0) return []
  if (isList(value)) return value.slice(0, 10).flatMap((one) => codesIn(one, depth - 1))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, member]) =>
    typeof member === 'string'
      ? (codeName.test(name) || name === 'error') && member.length <= 60 && codeWords.test(member)
        ? [member]
        : []
      : codesIn(member, depth - 1),
  )
}
