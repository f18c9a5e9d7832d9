/** A flat list of paths, `response.data[0].id`, → the tree of names that they spell. */
import type { TemplateContext } from '../../server/wire/evaluation.ts'
import type { Member } from './template-names.ts'

type Growing = { readonly name: string; type: string; sample: string; isPosition: boolean; below: Map<string, Growing> }

export function membersOfPaths(names: TemplateContext['names']): readonly Member[] {
  const top = new Map<string, Growing>()
  for (const { name: path, type, sample } of names) {
    let level = top
    let found: Growing | undefined
    for (const [part, single, double, position] of path.matchAll(step)) {
      const name = (single ?? double)?.replaceAll(/\\(.)/g, '$1') ?? position ?? part.replace('.', '')
      found = level.get(name) ?? { name, type: '', sample: '', isPosition: position !== undefined, below: new Map() }
      level.set(name, found)
      level = found.below
    }
    if (found !== undefined) Object.assign(found, { type, sample })
  }
  return [...top.values()].map(asMember)
}

const step = /\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]|\[(-?\d+)\]|\.?[A-Za-z_]\w*/g

function asMember({ name, type, sample, isPosition, below }: Growing): Member {
  return {
    name,
    type,
    sample,
    ...(isPosition && { isPosition }),
    ...(below.size > 0 && { members: () => [...below.values()].map(asMember) }),
  }
}
