/** From the form to the text and back, each at the place of the other. */
import { streamsIn } from '../../document/stream-paths.ts'
import { findPart } from '../editor/outline-parts.ts'
import { wantSection } from '../fields/wanted-section.ts'
import type { View } from '../router.ts'
import { goToEdit } from '../editor/edit-or-test.ts'
import type { SessionStore } from '../session/session.ts'
import { formPartAt } from './form-place.ts'
import { lastSpot, showInForm } from './yaml-target.ts'

/** @param address the part in the address. The text finds its place by itself when it opens. */
export function switchView(store: SessionStore, view: View, address: string | null): void {
  if (view === 'yaml') return goToEdit({ view })
  const { value: root } = store.get().document
  const spot = lastSpot()
  const { part, section } =
    spot === null ? { part: null, section: null } : formPartAt(root, spot, findPart(address, streamsIn(root)))
  if (spot === null || part === null) return goToEdit({ view })
  if (section !== null) wantSection({ title: section, takesFocus: false })
  showInForm(spot, part)
}
