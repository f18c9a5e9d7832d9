/** One problem in a line or two: how bad, where, what, and what to do. */
import type { ManifestProblem } from '../../server/wire/problem.ts'
import { Worded } from '../fields/inline-code.tsx'
import './problem-text.css'

export function ProblemText({ problem: { severity, at, message, hint } }: { problem: ManifestProblem }) {
  return (
    <span className="problem-text" data-severity={severity}>
      <b>{severity}</b>
      <span className="what">
        <Worded text={message} />{' '}
        <span className="hint">
          <Worded text={hint} />
        </span>
      </span>
      {at.line !== undefined && (
        <span className="where">
          <span className="hidden">at </span>line {at.line}, column {at.column ?? 1}
        </span>
      )}
    </span>
  )
}
