/** Changes of several places at once, for choices that mean more than one key. They are undone together. */
import { applyChanges, type Change } from '../../document/edit-resolved.ts'
import { useSessionStore } from './use-session.tsx'

export function useChanges(): (changes: readonly Change[], mark?: string) => void {
  const store = useSessionStore()
  return (changes, mark) => store.edit(applyChanges(store.get().document.text, changes), mark)
}
