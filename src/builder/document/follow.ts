/** A place of the resolved manifest → what stands there, and where that is really written. */
import type { Path } from './path.ts'

export type Followed = { readonly value: unknown; readonly writtenAt: Path }

export function follow(root: unknown, path: Path): Followed {
  let value = root
  let writtenAt: Path = []
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return { value: undefined, writtenAt: [...writtenAt, part] }
    value = (value as Record<string | number, unknown>)[part]
    writtenAt = [...writtenAt, part]
  }
  return { value, writtenAt }
}
