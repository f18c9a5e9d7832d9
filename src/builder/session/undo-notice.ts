/** Says what an edit did, with a button that takes it back; or why there is none. */
import { closeNotice, showNotice, type ShownNotice } from '../notice/notices.ts'
import type { Session, SessionStore } from './session.ts'

/** Goes when the text changes again: Undo would then take back another edit. */
export function showUndoNotice(store: SessionStore, text: string): void {
  const { text: edited } = store.get()
  showNoticeUntil(store, { text, action: { label: 'Undo', run: store.undo } }, (session) => session.text !== edited)
}

/** Goes when it is true no more, even if it was not there long enough to be read. */
export function showNoticeUntil(store: SessionStore, notice: ShownNotice, isOver: (session: Session) => boolean): void {
  showNotice(notice)
  const stop = store.subscribe(() => {
    if (!isOver(store.get())) return
    stop()
    closeNotice(notice)
  })
}
