/** What went wrong, where in the manifest, and what to do next. */
import type { ManifestProblem, Place } from '../../../server/wire/problem.ts'
import { useStreams } from '../../editor/use-streams.ts'
import { goTo } from '../../place.ts'
import type { ReadProblem } from '../read-state.ts'
import './outcome.css'

export function ProblemBox({ problem, onRetry }: { problem: ReadProblem; onRetry: () => void }) {
  const { detail, hint, code, at, problems = [], isServerGone } = problem
  return (
    <section className="problem-box" role="alert" aria-label="What went wrong">
      <p>
        <b>{isServerGone ? 'No answer' : 'Failed'}</b> {detail}
      </p>
      {hint !== undefined && <p className="hint">{hint}</p>}
      {problems.length > 0 && (
        <ul>
          {problems.map((one) => (
            <OneProblem key={`${one.at.pointer} ${one.message}`} problem={one} />
          ))}
        </ul>
      )}
      <footer>
        {at !== undefined && problems.length === 0 && <PlaceLinks at={at} />}
        {isServerGone && (
          <button type="button" className="button small" onClick={onRetry}>
            Test again
          </button>
        )}
        {code !== undefined && <code>{code}</code>}
      </footer>
    </section>
  )
}

function OneProblem({ problem: { message, hint, at } }: { problem: ManifestProblem }) {
  return (
    <li>
      {message} {hint} <PlaceLinks at={at} />
    </li>
  )
}

/** To the form of the stream, and to the line of the text. */
function PlaceLinks({ at: { pointer, line } }: { at: Place }) {
  const streams = useStreams()
  const index = /^\/streams\/(\d+)/.exec(pointer)?.[1]
  const stream = index === undefined ? undefined : streams[Number(index)]
  return (
    <span className="place-links">
      {stream !== undefined && (
        <button type="button" className="link" onClick={() => goTo({ part: stream.name, view: 'form' })}>
          Show {stream.name} in the form
        </button>
      )}
      <button type="button" className="link" onClick={() => goTo({ view: 'yaml' })}>
        {line === undefined ? 'Show in YAML' : `Show line ${line} in YAML`}
      </button>
    </span>
  )
}
