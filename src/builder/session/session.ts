/** The one state of the editor: the text, the manifest in it, what is saved, and the undo history. */
import { openAtOnce, openDocument, type ManifestDocument } from '../../document/open-document.ts'
import { openListeners } from '../listeners.ts'

export type Saved = { readonly text: string; readonly version: string }

export type Session = {
  readonly name: string
  readonly text: string
  /** What the text says; while it cannot be read, what it said last. */
  readonly document: ManifestDocument
  /** Why the text cannot be parsed; null when it can. */
  readonly trouble: ManifestDocument['problem']
  /** Whether the document is what the text says, so that it can be edited: not while a long text is still being read. */
  readonly isReadable: boolean
  readonly saved: Saved
  /** The version on the server, if it is neither ours nor the one we saved last. */
  readonly foreign: Saved | null
  /** The connector is no longer on disk; saving puts it there again. */
  readonly isGone: boolean
  readonly canUndo: boolean
  readonly canRedo: boolean
}

export type SessionStore = {
  readonly get: () => Session
  readonly subscribe: (listener: () => void) => () => void
  /**
   * Takes a new text. Changes with the same `mark` shortly after each other are undone together: a word typed into a
   * field, not its letters.
   */
  readonly edit: (text: string, mark?: string) => void
  readonly undo: () => void
  readonly redo: () => void
  /** The text at this version is on disk now. */
  readonly markSaved: (saved: Saved) => void
  /** Another tab, a program or a person changed the file. */
  readonly markForeign: (saved: Saved) => void
  /** The connector was deleted elsewhere. */
  readonly markGone: () => void
  /** Takes the foreign text; ours can be had back by undo. */
  readonly takeForeign: () => void
  /** Keeps ours; the next save goes over the foreign one. */
  readonly keepOurs: () => void
}

/** Letters typed within this time belong together. */
const togetherMs = 1000
const longestWay = 200

/** Reads a long text without keeping anyone waiting; false where it was ended because the text is no longer wanted. */
export type ReadLong = (text: string, isWanted: () => boolean) => Promise<boolean>

export type SessionOptions = { readonly now?: () => number; readonly readLong?: ReadLong }

export function openSession(
  name: string,
  opened: Saved,
  { now = Date.now, readLong }: SessionOptions = {},
): SessionStore {
  const { subscribe, notify } = openListeners()
  let past: string[] = []
  let future: string[] = []
  let last: { mark: string; at: number } | null = null
  let session: Session = {
    name,
    ...read(opened.text, null),
    saved: opened,
    foreign: null,
    isGone: false,
    canUndo: false,
    canRedo: false,
  }

  /** The text now, and what it says as soon as that is known. */
  function read(text: string, before: Session | null): Pick<Session, 'text' | 'document' | 'trouble' | 'isReadable'> {
    const document = readLong === undefined || before === null ? openDocument(text) : openAtOnce(text)
    if (document !== null) return readResult(document, before)
    void readLater(text)
    const { document: shown, trouble } = before as Session
    return { text, document: shown, trouble, isReadable: false }
  }

  async function readLater(text: string): Promise<void> {
    const isWanted = () => session.text === text && !session.isReadable
    const isRead = await readLong?.(text, isWanted)
    if (isRead === true && isWanted()) change(readResult(openDocument(text), session))
  }

  function change(changed: Partial<Session>): void {
    session = { ...session, ...changed, canUndo: past.length > 0, canRedo: future.length > 0 }
    notify()
  }

  function step(from: string[], to: string[]): void {
    const text = from.pop()
    if (text === undefined) return
    to.push(session.text)
    last = null
    change(read(text, session))
  }

  function edit(text: string, mark?: string): void {
    if (text === session.text) return
    const isSame = mark !== undefined && last?.mark === mark && now() - last.at < togetherMs
    if (!isSame) past = [...past, session.text].slice(-longestWay)
    future = []
    last = mark === undefined ? null : { mark, at: now() }
    change(read(text, session))
  }

  return {
    get: () => session,
    subscribe,
    edit,
    undo: () => step(past, future),
    redo: () => step(future, past),
    markSaved: (saved) => change({ saved, foreign: null, isGone: false }),
    markGone: () => change({ isGone: true }),
    markForeign(foreign) {
      if (foreign.version === session.saved.version) return change({ foreign: null, isGone: false })
      // Nothing of ours would be lost: follow.
      if (session.text === session.saved.text || session.text === foreign.text) {
        change({ ...read(foreign.text, session), saved: foreign, foreign: null, isGone: false })
      } else change({ foreign, isGone: false })
    },
    takeForeign() {
      const { foreign } = session
      if (foreign === null) return
      edit(foreign.text)
      change({ saved: foreign, foreign: null })
    },
    keepOurs() {
      const { foreign } = session
      if (foreign !== null) change({ saved: foreign, foreign: null })
    },
  }
}

function readResult(opened: ManifestDocument, before: Session | null) {
  const { text, problem } = opened
  const isShown = problem === null || before === null
  return { text, document: isShown ? opened : before.document, trouble: problem, isReadable: problem === null }
}
