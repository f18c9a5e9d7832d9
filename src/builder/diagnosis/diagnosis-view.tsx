/** What is wrong with a stream's pagination, and one click that fixes it. */
import { count } from '../../std/text/format-count.ts'
import type { Diagnosis, DiagnosisEvent } from '../../server/wire/diagnosis.ts'
import { Icon } from '../icons.tsx'
import { FoldedProbes, ProbeList, probesIn } from '../proofs/probe-list.tsx'
import type { WorkState } from '../proofs/work.ts'
import { TroubleWords } from '../proofs/trouble-words.tsx'
import { Working } from '../proofs/working.tsx'
import { useSession } from '../session/use-session.tsx'
import { verdictNames } from '../test-reads/outcome/verdict-words.ts'
import type { Testing } from '../test-reads/use-test.ts'
import './diagnosis.css'
import { FindingCard } from './finding-card.tsx'
import { useDiagnosis } from '../proofs/use-proofs.ts'

export function DiagnosisView({ stream, testing }: { stream: string; testing: Testing }) {
  const { run, start, cancel } = useDiagnosis(stream)
  return (
    <section className="diagnosis" aria-label="Diagnosis">
      <p className="hidden" aria-live="polite">
        {announcement(run)}
      </p>
      {run.kind === 'running' ? (
        <Working words={workingWords(run.events)} onCancel={cancel}>
          <ProbeList probes={probesIn(run.events)} />
        </Working>
      ) : (
        <>
          {run.kind === 'failed' && <TroubleWords trouble={run.trouble} />}
          {run.kind === 'done' && run.end.diagnosis !== null && (
            <Found diagnosis={run.end.diagnosis} text={run.text} testing={testing} />
          )}
          <Again run={run} onStart={start} />
        </>
      )}
    </section>
  )
}

function Found({ diagnosis, text, testing }: { diagnosis: Diagnosis; text: string; testing: Testing }) {
  const { findings, probes } = diagnosis
  return (
    <>
      {findings.length === 0 ? <NothingWrong diagnosis={diagnosis} /> : <LookedAt diagnosis={diagnosis} />}
      {findings.map((finding, index) => (
        <FindingCard key={index} finding={finding} text={text} isFirst={index === 0} testing={testing} />
      ))}
      <FoldedProbes probes={probes} />
    </>
  )
}

function NothingWrong({ diagnosis }: { diagnosis: Diagnosis }) {
  return (
    <div className="nothing-wrong">
      <p className="sum">
        <Icon name="check" />
        Nothing wrong was found
      </p>
      <LookedAt diagnosis={diagnosis} />
    </div>
  )
}

/** What the findings, or that there are none, rest on. */
function LookedAt({ diagnosis: { proof, error, isCut, findings } }: { diagnosis: Diagnosis }) {
  const parts = [
    proof === null
      ? // What came before an error is in the evidence.
        error === null && 'No page came.'
      : `Read ${count(proof.pages, 'page')} with ${count(proof.received, 'record')}.`,
    isCut && 'Later pages were not read.',
    error !== null && `The read ended with an error: ${error.message}`,
    // Findings say it better.
    proof !== null && !isCut && findings.length === 0 && `${verdictNames[proof.verdict]}: ${proof.reason}.`,
  ]
  return <p className="looked-at">{parts.filter(Boolean).join(' ')}</p>
}

function Again({ run, onStart }: { run: WorkState<DiagnosisEvent>; onStart: () => void }) {
  const text = useSession((session) => session.text)
  const isDone = run.kind === 'done'
  return (
    <div className="again">
      {run.kind === 'none' && (
        <p>
          A diagnosis reads up to 20 pages, sends a few more requests to find out why records are missing or duplicated,
          or why the read never ends, and proposes a change that fixes it.
        </p>
      )}
      {run.kind === 'cancelled' && <p>The diagnosis was cancelled.</p>}
      {isDone && run.text !== text && <p>The manifest was edited since.</p>}
      <button type="button" className={isDone ? 'button small' : 'button'} onClick={onStart}>
        {run.kind === 'none' ? 'Find out what is wrong' : 'Diagnose again'}
      </button>
    </div>
  )
}

function workingWords(events: readonly DiagnosisEvent[]): string {
  const last = events.at(-1)
  if (last === undefined) return 'Reading the first page'
  return last.kind === 'page' ? `Reading, ${count(last.page, 'page')} so far` : 'Searching for the cause'
}

function announcement(run: WorkState<DiagnosisEvent>): string {
  if (run.kind === 'running') return 'Diagnosing'
  if (run.kind !== 'done') return ''
  const findings = run.end.diagnosis?.findings ?? []
  return findings.length === 0
    ? 'Nothing wrong was found'
    : `${count(findings.length, 'fault')} found: ${findings[0]?.title}`
}
