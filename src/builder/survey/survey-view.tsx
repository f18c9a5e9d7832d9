/** Which faults of an API a stream survives, reports, or misses: a table that grows fault by fault. */
import type { SurveyEvent, SurveyResult } from '../../server/wire/survey.ts'
import { count } from '../../std/text/format-count.ts'
import { Worded } from '../fields/inline-code.tsx'
import { Icon } from '../icons.tsx'
import type { WorkState } from '../proofs/work.ts'
import { TroubleWords } from '../proofs/trouble-words.tsx'
import { Working } from '../proofs/working.tsx'
import './survey.css'
import { byOutcome, outcomeWords, surveyWords } from './survey-words.ts'
import { useSurvey } from '../proofs/use-proofs.ts'

export function SurveyView({ stream }: { stream: string }) {
  const { run, start, cancel } = useSurvey(stream)
  const results = resultsIn(run)
  return (
    <section className="survey" aria-label="Stress test">
      <p className="hidden" aria-live="polite">
        {announcement(run)}
      </p>
      {run.kind === 'running' && (
        <Working words={`Testing faults: ${count(results.length, 'fault')} so far`} onCancel={cancel} />
      )}
      {run.kind === 'failed' && <TroubleWords trouble={run.trouble} />}
      {run.kind === 'done' && results.length > 0 && <p className="sum">{surveyWords(results)}</p>}
      {run.kind === 'done' && run.end.skipped.map(({ why }) => <p key={why}>This stream cannot be tried: it {why}.</p>)}
      {results.length > 0 && <FaultTable results={results} />}
      {run.kind !== 'running' && <Again run={run} stream={stream} onStart={start} />}
    </section>
  )
}

function FaultTable({ results }: { results: readonly SurveyResult[] }) {
  return (
    <table>
      <caption className="hidden">Faults and their outcomes</caption>
      <thead>
        <tr>
          <th scope="col">The API</th>
          <th scope="col">The read</th>
        </tr>
      </thead>
      <tbody>
        {byOutcome(results).map(({ fault, does, outcome, says }) => (
          <tr key={fault} data-outcome={outcome}>
            <th scope="row">
              <Worded text={does} />
              <code>{fault}</code>
            </th>
            <td>
              <p className="outcome" title={outcomeWords[outcome].meaning}>
                <Icon name={outcome === 'survives' ? 'check' : outcome === 'does not apply' ? 'dot' : 'warning'} />
                {outcomeWords[outcome].label}
              </p>
              <p>
                <Worded text={says} />
              </p>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Again({ run, stream, onStart }: { run: WorkState<SurveyEvent>; stream: string; onStart: () => void }) {
  const isFirst = run.kind === 'none'
  return (
    <div className="again">
      {isFirst && (
        <p>
          A stress test reads {stream} from a local API that answers as the manifest expects, but with one fault at a
          time: pages cut short, sent twice, in a loop. No request is sent to your API.
        </p>
      )}
      {run.kind === 'cancelled' && <p>The stress test was cancelled.</p>}
      <button type="button" className={isFirst ? 'button' : 'button small'} onClick={onStart}>
        {isFirst ? 'Try it against a misbehaving API' : 'Try again'}
      </button>
    </div>
  )
}

function resultsIn(run: WorkState<SurveyEvent>): SurveyResult[] {
  const events = run.kind === 'running' || run.kind === 'done' ? run.events : []
  return events.flatMap((event) => (event.kind === 'result' ? [event.result] : []))
}

function announcement(run: WorkState<SurveyEvent>): string {
  if (run.kind === 'running') return 'Trying faults'
  return run.kind === 'done' ? surveyWords(resultsIn(run)) : ''
}
