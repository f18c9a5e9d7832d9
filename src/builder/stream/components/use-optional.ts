/** A part of a stream that may be absent: switched off it is remembered, switched on it comes back. */
import { detach, removeResolved } from '../../../document/edit-resolved.ts'
import type { Path } from '../../../document/value-path.ts'
import { useRemembered } from '../../session/remembered.ts'
import { useField } from '../../session/use-field.ts'
import { useSessionStore } from '../../session/use-session.tsx'

export type Optional = {
  readonly value: unknown
  readonly isOn: boolean
  readonly onSwitch: (isOn: boolean) => void
}

/** @param usual what it starts with */
export function useOptional(at: Path, usual: unknown): Optional {
  const { value, set } = useField(at)
  const store = useSessionStore()
  const { recall, remember } = useRemembered()
  return {
    value,
    isOn: value !== undefined && value !== null,
    onSwitch(isOn) {
      if (isOn) return set(recall(at) ?? usual)
      remember(value, at)
      // What other streams use as well stays theirs.
      store.edit(removeResolved(detach(store.get().document.text, at), at))
    },
  }
}
