/** Tries that failed → a LOG message each, at once: a command that waits in silence seems to hang. */
import { isatty } from 'node:tty'
import type { Notice } from '../engine/response/notice.ts'
import { type Emit, logMessage } from '../protocol/messages.ts'
import { sayRetry } from '../protocol/say.ts'
import { isWatched, oneLine, say } from './terminal/print.ts'

/** For requests that no row of a stream shows. On a terminal that does not show the messages, in words as well. */
export function tellRetries(emit: Emit): (notice: Notice) => void {
  const isShown = isWatched && !isatty(1)
  return (notice) => {
    if (notice.kind !== 'retry') return
    const text = sayRetry(notice)
    const sentence = text.charAt(0).toUpperCase() + text.slice(1)
    void emit([logMessage('WARN', sentence)])
    if (isShown) say(oneLine(sentence))
  }
}
