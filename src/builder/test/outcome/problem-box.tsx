/** What went wrong, where in the manifest, and what to do next. */
import type { ManifestProblem, Place } from '../../../server/wire/problem.ts'
import { pathOf } from '../../document/path.ts'
import { useStreams } from '../../editor/use-streams.ts'
import { showInForm, showInYaml } from '../../yaml/spot.ts'
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

/** To the field of the stream, and to the line of the text. */
function PlaceLinks({ at: { pointer, line, column = 1 } }: { at: Place }) {
  const path = pathOf(pointer)
  const streams = useStreams()
  const stream = path[0] === 'streams' ? streams[Number(path[1])] : undefined
  return (
    <span className="place-links">
      {stream !== undefined && (
        <button type="button" className="link" onClick={() => showInForm(path, stream.name)}>
          Show in the form
        </button>
      )}
      <button
        type="button"
        className="link"
        onClick={() => showInYaml(line === undefined ? { path } : { line, column })}
      >
        {line === undefined ? 'Show in YAML' : `Show line ${line} in YAML`}
      </button>
    </span>
  )
}
