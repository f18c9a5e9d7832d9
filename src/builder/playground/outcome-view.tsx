/** What a template is worth: value, Python's type and spelling; or what is wrong with it, and where. */
import { stringifyJson } from '../../std/json.ts'
import type { Evaluation } from '../../server/wire/evaluation.ts'
import type { ApiProblem } from '../../server/wire/problem.ts'
import { Worded } from '../fields/inline-code.tsx'
import type { EvaluationState } from './use-evaluation.ts'

const longestShown = 5000

export function OutcomeView({ outcome }: { outcome: EvaluationState }) {
  return (
    <div className="outcome" aria-live="polite">
      {outcome.kind === 'waiting' && <p className="soft">Type a template to see its value.</p>}
      {outcome.kind === 'no-answer' && <p className="wrong">{outcome.message}</p>}
      {outcome.kind === 'value' && <ValueView evaluation={outcome.evaluation} />}
      {outcome.kind === 'problem' && <ProblemView problem={outcome.problem} template={outcome.template} />}
    </div>
  )
}

function ValueView({ evaluation: { value, type, repr, isCut, isLeftOut } }: { evaluation: Evaluation }) {
  const text = cut(typeof value === 'string' ? value : stringifyJson(value ?? null))
  const note = isLeftOut ? 'Nothing is sent.' : isCut ? 'Only the beginning.' : null
  return (
    <dl>
      <dt>Value</dt>
      <dd>{text === '' ? <span className="soft">empty text</span> : <pre>{text}</pre>}</dd>
      <dt>Python</dt>
      <dd>
        <code className="type">{type}</code> <code className="repr">{cut(repr)}</code>
        {note !== null && <span className="soft"> {note}</span>}
      </dd>
    </dl>
  )
}

function ProblemView({ problem: { detail, hint, at }, template }: { problem: ApiProblem; template: string }) {
  return (
    <div className="wrong">
      <p>
        <b>error</b> <Worded text={detail} />
      </p>
      {at?.column !== undefined && <MarkedPlace template={template} line={at.line ?? 1} column={at.column} />}
      {hint !== undefined && (
        <p className="soft">
          <Worded text={hint} />
        </p>
      )}
    </div>
  )
}

function MarkedPlace({ template, line, column }: { template: string; line: number; column: number }) {
  const text = template.split('\n')[line - 1] ?? ''
  const from = Math.min(Math.max(column - 1, 0), text.length)
  const to = from + (/^(\w+|\W)/.exec(text.slice(from))?.[0].length ?? 0)
  return (
    <pre>
      {cut(text.slice(0, from))}
      <mark>{text.slice(from, to) || ' '}</mark>
      {cut(text.slice(to))}
      <span className="soft">
        {'  '}line {line}, column {column}
      </span>
    </pre>
  )
}

function cut(text: string): string {
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text
}
