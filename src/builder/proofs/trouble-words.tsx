/** Why nothing was found out, and what to do next. */
import { Worded } from '../fields/inline-code.tsx'
import type { WorkProblem } from './work.ts'
import './proving.css'

export function TroubleWords({ trouble: { detail, hint, code } }: { trouble: WorkProblem }) {
  return (
    <div className="trouble" role="alert">
      <p>
        <b>Failed</b> <Worded text={detail} />
      </p>
      {hint !== undefined && (
        <p className="hint">
          <Worded text={hint} />
        </p>
      )}
      {code !== undefined && <code>{code}</code>}
    </div>
  )
}
