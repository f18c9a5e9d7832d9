/** A decoded body → the single values outside of its records, each with its path. */
import { isList, isObject } from '../../std/values/objects.ts'
import { linkList } from '../claims/envelopes.ts'

type Leaf = { readonly path: readonly string[]; readonly value: unknown }

const deepest = 5

/** An object with more members is a map of records, whose fields may have any name. */
const mostMembers = 100

/** Claims about pages are among the first values; the bound keeps a large response from taking long. */
const mostLeaves = 2_000

/** Neither the records at `listPath` nor other lists are searched; a list of links is one value. */
export function leavesOutsideList(body: unknown, listPath: readonly string[]): Leaf[] {
  const outer = listPath.includes('*') ? listPath.slice(0, listPath.indexOf('*')) : listPath
  const found: Leaf[] = []
  const visit = (value: unknown, path: readonly string[]) => {
    if (found.length >= mostLeaves || (path.length > 0 && isSamePath(path, outer))) return
    if (isList(value) && !linkList.test(path.at(-1) ?? '')) return
    if (!isObject(value)) found.push({ path, value })
    else if (path.length < deepest && Object.keys(value).length <= mostMembers) {
      for (const name of Object.keys(value)) visit(value[name], [...path, name])
    }
  }
  visit(body, [])
  return found
}

export function isSamePath(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, index) => name === other[index])
}
