/** Testing a stream, by button or by key: the current text, saved or not, with the inputs of this tab. */
import { useCallback, useEffect } from 'react'
import { showPane } from '../editor/edit-or-test.ts'
import { inputsOf } from '../session/inputs.ts'
import { useSessionStore } from '../session/use-session.tsx'
import { currentLimits, type TestLimits } from './test-limits.ts'
import { cancelReading, continueReading, readKey, startReading, useReading } from './read-store.ts'

export type Testing = {
  readonly start: () => void
  /** With limits that are at least these: what was promised is to be seen. */
  readonly startWith: (least: Partial<TestLimits>) => void
  /** Reads the pages after the last one, where a limit ended the test. */
  readonly readMore: () => void
  readonly cancel: () => void
}

export function useTest(stream: string | null): Testing {
  const store = useSessionStore()
  const startWith = useCallback(
    (least: Partial<TestLimits>) => {
      if (stream === null) return
      const { name, text } = store.get()
      // Where only one pane fits, show the test.
      showPane('test')
      void startReading(name, { text, stream, config: { ...inputsOf(name) }, ...atLeast(least, currentLimits()) })
    },
    [store, stream],
  )
  const readMore = useCallback(() => {
    if (stream === null) return
    const { name, text } = store.get()
    void continueReading(name, { text, stream, config: { ...inputsOf(name) }, ...currentLimits() })
  }, [store, stream])
  const start = useCallback(() => startWith({}), [startWith])
  const cancel = useCallback(() => cancelReading(readKey(store.get().name, stream)), [store, stream])
  return { start, startWith, readMore, cancel }
}

function atLeast({ maxPages = 0, maxSlices = 0, maxRecords = 0 }: Partial<TestLimits>, limits: TestLimits): TestLimits {
  return {
    maxPages: Math.max(maxPages, limits.maxPages),
    maxSlices: Math.max(maxSlices, limits.maxSlices),
    maxRecords: Math.max(maxRecords, limits.maxRecords),
  }
}

/** Reads one page with a text that is not the current one, such as a stream without the part that is being written. */
export function useFirstPage(stream: string | null): (text: string) => void {
  const store = useSessionStore()
  return useCallback(
    (text) => {
      if (stream === null) return
      const { name } = store.get()
      const limits = { maxPages: 1, maxSlices: 1, maxRecords: currentLimits().maxRecords }
      void startReading(name, { text, stream, config: { ...inputsOf(name) }, ...limits }, { isForPicking: true })
    },
    [store, stream],
  )
}

/** Ctrl- or ⌘-Enter tests from anywhere; Esc cancels, unless it closes something else first. */
export function useTestKeys({ start, cancel }: Pick<Testing, 'start' | 'cancel'>): void {
  const isReading = useReading()?.status === 'reading'
  useEffect(() => {
    /** Before anybody else: an editor would begin a new line. */
    function test(event: KeyboardEvent): void {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      event.stopPropagation()
      if (!event.repeat) start()
    }
    function leave(event: KeyboardEvent): void {
      if (event.key === 'Escape' && isReading && !event.defaultPrevented && !closesSomething(event.target)) cancel()
    }
    window.addEventListener('keydown', test, { capture: true })
    window.addEventListener('keydown', leave)
    return () => {
      window.removeEventListener('keydown', test, { capture: true })
      window.removeEventListener('keydown', leave)
    }
  }, [start, cancel, isReading])
}

function closesSomething(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role="dialog"], [aria-expanded="true"], .cm-editor') !== null
}
