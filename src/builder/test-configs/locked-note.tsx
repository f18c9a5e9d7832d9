/** Next to the test: that test configs are kept, and cannot be used before the store is unlocked. */
import { partOf } from '../editor/outline-parts.ts'
import { goToEdit } from '../editor/edit-or-test.ts'
import { useStoreStatus } from './use-store.ts'

export function LockedNote() {
  if (useStoreStatus()?.state !== 'locked') return null
  return (
    <p className="locked-note">
      Test configs that are kept on this machine are locked.{' '}
      <button type="button" className="button small" onClick={() => goToEdit({ part: partOf('inputs'), view: 'form' })}>
        Unlock under Inputs
      </button>
    </p>
  )
}
