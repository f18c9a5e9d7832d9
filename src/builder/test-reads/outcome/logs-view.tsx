/** What was said while reading: waits, retries, what the engine did of its own accord. */
import { duration } from '../durations.ts'
import type { ReadNotice } from '../read-state.ts'
import './outcome.css'

export function LogsView({ notices }: { notices: readonly ReadNotice[] }) {
  if (notices.length === 0) return <p className="quiet-words">Nothing out of the ordinary was logged.</p>
  return (
    <ol className="logs" aria-label="Logs">
      {notices.map(({ at, level, text, waitMs }, index) => (
        <li key={index} data-level={level}>
          <time>{duration(at)}</time>
          <b>{level}</b>
          <span>
            {text}
            {waitMs !== undefined && `, waited ${duration(waitMs)}`}
          </span>
        </li>
      ))}
    </ol>
  )
}
