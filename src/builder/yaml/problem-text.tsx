/** One problem in a line or two: how bad, where, what, and what to do. */
import type { ManifestProblem } from '../../server/wire/problem.ts'
import { Worded } from '../fields/inline-code.tsx'
import { fieldWords } from './place-words.ts'
import './problem-text.css'

export type ProblemTextProps = {
  readonly problem: ManifestProblem
  /** Where it is, in the words of the form; the line of the text without it. */
  readonly place?: string
}

export function ProblemText({ problem, place }: ProblemTextProps) {
  const { severity, at } = problem
  const { message, hint } = place === undefined ? problem : fieldWords(problem)
  return (
    <span className="problem-text" data-severity={severity}>
      <b>{severity}</b>
      <span className="what">
        <Worded text={message} />{' '}
        <span className="hint">
          <Worded text={hint} />
        </span>
      </span>
      {place !== undefined && <span className="where">{place}</span>}
      {place === undefined && at.line !== undefined && (
        <span className="where">
          <span className="hidden">at </span>line {at.line}, column {at.column ?? 1}
        </span>
      )}
    </span>
  )
}
