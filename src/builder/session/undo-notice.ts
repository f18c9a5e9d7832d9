/** Says what an edit did, with a button that takes it back. */
import { closeNotice, showNotice } from '../notice/notices.ts'
import type { SessionStore } from './session.ts'

/** Goes when the text changes again: Undo would then take back another edit. */
export function showUndoNotice(store: SessionStore, text: string): void {
  const edited = store.get().text
  const notice = { text, action: { label: 'Undo', run: store.undo } }
  showNotice(notice)
  const stop = store.subscribe(() => {
    if (store.get().text === edited) return
    stop()
    closeNotice(notice)
  })
}
