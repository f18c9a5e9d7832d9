/** One place of the manifest, for a control: its value, how to change it, what is wrong with it. */
import { removeResolved, setResolved } from '../../document/edit-resolved.ts'
import { type Followed, follow } from '../../document/follow.ts'
import { type Path, pointerOf } from '../../document/value-path.ts'
import { useOfManifest, useSessionStore } from './use-session.tsx'

export type FieldState = {
  readonly value: unknown
  /** Where it is really written: `$ref` leads to a definition. */
  readonly writtenAt: Path
  readonly set: (value: unknown) => void
  readonly remove: () => void
}

/** Renders anew only when the value, or the place where it is written, changes. */
export function useFollowed(path: Path): Followed {
  return useOfManifest((root) => follow(root, path), pointerOf(path))
}

export function useField(path: Path): FieldState {
  const store = useSessionStore()
  const { value, writtenAt } = useFollowed(path)
  // Letters typed into one field are undone together.
  const mark = path.join('/')
  return {
    value,
    writtenAt,
    set: (changed) => store.edit(setResolved(store.get().document.text, path, changed), mark),
    remove: () => store.edit(removeResolved(store.get().document.text, path), mark),
  }
}
