/**
 * `$ref` → what it points to, when it is needed. Nothing is expanded ahead, so that circles and large documents cost nothing.
 * Only references within the document are followed: no other file is read, and no address is requested.
 */
import { isObject, type Members } from '../../std/values/objects.ts'
import { percentDecode } from '../../std/text/percent-decode.ts'

export type References = {
  /** The object itself, or the one it refers to; null where that is none. */
  readonly follow: (value: unknown) => Members | null
  /** References that lead out of the document, and those that lead nowhere. */
  readonly foreign: ReadonlySet<string>
  readonly broken: ReadonlySet<string>
}

const mostHops = 30

export function openReferences(root: Members): References {
  const foreign = new Set<string>()
  const broken = new Set<string>()
  const known = new Map<string, Members | null>()

  function follow(value: unknown): Members | null {
    let found: unknown = value
    for (let hop = 0; hop < mostHops; hop++) {
      if (!isObject(found)) return null
      const reference = Object.hasOwn(found, '$ref') ? found.$ref : undefined
      if (typeof reference !== 'string') return found
      found = target(reference)
    }
    return null
  }

  function target(reference: string): Members | null {
    const before = known.get(reference)
    if (before !== undefined) return before
    const found = locate(reference)
    known.set(reference, found)
    return found
  }

  function locate(reference: string): Members | null {
    if (!reference.startsWith('#')) {
      foreign.add(reference)
      return null
    }
    let found: unknown = root
    for (const part of reference.slice(1).split('/').slice(1)) {
      const name = percentDecode(part).replaceAll('~1', '/').replaceAll('~0', '~')
      const isThere = typeof found === 'object' && found !== null && Object.hasOwn(found, name)
      found = isThere ? (found as Members)[name] : undefined
    }
    if (isObject(found)) return found
    broken.add(reference)
    return null
  }

  return { follow, foreign, broken }
}
