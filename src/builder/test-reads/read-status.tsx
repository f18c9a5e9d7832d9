/** One line under the buttons: what is waited for, or how it ended. Its height never changes. */
import { useSession } from '../session/use-session.tsx'
import type { ReadState } from './read-state.ts'
import { announcement, endWords, waitingWords } from './read-words.ts'
import { useBegunAt, useReading } from './reading.ts'
import { useNow } from './use-now.ts'

export function ReadStatus({ stream }: { stream: string }) {
  const read = useReading()
  return (
    <>
      <p className="read-status" data-ending={read?.ending ?? 'none'}>
        {read !== null && (read.status === 'reading' ? <Waiting read={read} /> : <Ended read={read} stream={stream} />)}
      </p>
      <p className="hidden" aria-live="polite">
        {announcement(read)}
      </p>
    </>
  )
}

function Waiting({ read }: { read: ReadState }) {
  const begunAt = useBegunAt()
  const now = useNow(true)
  return (
    <>
      <span className="pulse" />
      <span className="words">{waitingWords(read, now - begunAt)}</span>
    </>
  )
}

function Ended({ read, stream }: { read: ReadState; stream: string }) {
  const text = useSession((session) => session.text)
  const isOther = read.stream !== stream
  return (
    <>
      <span className="words">{endWords(read)}</span>
      {isOther && <span className="tag">of {read.stream}</span>}
      {!isOther && read.text !== text && <span className="tag">edited since</span>}
    </>
  )
}
