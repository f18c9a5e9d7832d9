/** What the outline does to streams: each an edit of the text, undone like any other. */
import { addStream, duplicateStream, moveStream, removeStream, renameStream } from '../../document/edit-streams.ts'
import { type StreamPlace, streamsIn } from '../../document/stream-paths.ts'
import { goTo } from '../router.ts'
import type { Session, SessionStore } from '../session/session.ts'
import { showNoticeUntil, showUndoNotice } from '../session/undo-notice.ts'
import { newStream } from './new-stream-value.ts'

/** What was written since the text could last be read would be lost with an edit of that. */
export function canEdit(store: SessionStore): boolean {
  const session = store.get()
  if (session.isReadable) return true
  const text = whyNoEdit(session) ?? 'The YAML is still being read. Try again in a moment.'
  showNoticeUntil(store, { text }, ({ isReadable }) => isReadable)
  return false
}

/** Null where the text can be read, or soon will be. */
export function whyNoEdit({ trouble }: Session): string | null {
  return trouble === null ? null : `The YAML cannot be read at line ${trouble.line}. Fix it first.`
}

/** @returns whether it was added. */
export function addNewStream(store: SessionStore, name: string, path: string): boolean {
  if (!canEdit(store)) return false
  const { text, value } = store.get().document
  store.edit(addStream(text, newStream(value, name, path)))
  return true
}

export function duplicateInOutline(store: SessionStore, { path, name }: StreamPlace): void {
  if (!canEdit(store)) return
  const taken = streamsIn(store.get().document.value).map((stream) => stream.name)
  let copy = `${name}_copy`
  for (let count = 2; taken.includes(copy); count += 1) copy = `${name}_copy_${count}`
  store.edit(duplicateStream(store.get().document.text, path, copy))
  goTo({ part: copy, view: 'form' })
}

export function renameInOutline(store: SessionStore, { path }: StreamPlace, name: string): void {
  if (!canEdit(store)) return
  store.edit(renameStream(store.get().document.text, path, name))
  goTo({ part: name })
}

export function removeInOutline(store: SessionStore, { path, name }: StreamPlace): void {
  if (!canEdit(store)) return
  store.edit(removeStream(store.get().document.text, path))
  showUndoNotice(store, `Deleted the stream ${name}.`)
}

/** Only among its neighbours in the list where it is written. */
export function moveInOutline(store: SessionStore, { path }: StreamPlace, step: 1 | -1): void {
  if (!canEdit(store)) return
  store.edit(moveStream(store.get().document.text, path, Number(path.at(-1)) + step))
}
