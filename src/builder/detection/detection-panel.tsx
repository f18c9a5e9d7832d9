/** How the pages of a stream follow each other, as its API shows it, and one click that writes it down. */
import { useEffect, useRef } from 'react'
import type { Candidate, Detection, DetectionEvent } from '../../server/wire/detection.ts'
import { Icon } from '../icons.tsx'
import { FoldedProbes, ProbeList, probesIn } from '../proofs/probe-list.tsx'
import type { RunningWork, WorkState } from '../proofs/work.ts'
import { TroubleWords } from '../proofs/trouble-words.tsx'
import { Working } from '../proofs/working.tsx'
import { useSession, useSessionStore } from '../session/use-session.tsx'
import { CandidateCard } from './candidate-card.tsx'
import './detection.css'
import { type CandidatePaths, withCandidate } from './with-candidate.ts'

type DetectionProps = {
  readonly detecting: RunningWork<DetectionEvent>
  readonly parts: CandidatePaths
  /** Called after a candidate was written: the test shows whether it reads everything. */
  readonly onUsed: () => void
}

export function DetectionPanel({ detecting, parts, onUsed }: DetectionProps) {
  const { run, start, cancel, forget } = detecting
  const box = useRef<HTMLElement>(null)
  const isShown = run.kind !== 'none'
  useEffect(() => {
    // Keep the result in view while it grows.
    if (run.kind !== 'none') box.current?.scrollIntoView({ block: 'nearest' })
  }, [run.kind])
  return (
    <>
      <p className="hidden" aria-live="polite">
        {announcement(run)}
      </p>
      {isShown && (
        <section ref={box} className="detection appears" aria-label="Detected pagination">
          {run.kind === 'running' ? (
            <Working words="Detecting how the API paginates" onCancel={cancel}>
              <ProbeList probes={probesIn(run.events)} />
            </Working>
          ) : (
            <>
              {run.kind === 'cancelled' && <p>The detection was cancelled.</p>}
              {run.kind === 'failed' && <TroubleWords trouble={run.trouble} />}
              {run.kind === 'done' && run.end.detection !== null && (
                <Detected detection={run.end.detection} parts={parts} onUsed={onUsed} />
              )}
              <div className="again">
                <button type="button" className="button small" onClick={start}>
                  Detect again
                </button>
                <button type="button" className="button quiet small" onClick={forget}>
                  Close
                </button>
              </div>
            </>
          )}
        </section>
      )}
    </>
  )
}

type DetectedProps = Omit<DetectionProps, 'detecting'> & { readonly detection: Detection }

function Detected({ detection, parts, onUsed }: DetectedProps) {
  const { answer, says, candidates, probes, recordPath } = detection
  const store = useSessionStore()
  const text = useSession((session) => session.text)
  const isReadable = useSession((session) => session.isReadable)
  const written = (candidate: Candidate) => withCandidate(text, parts, candidate, recordPath)
  return (
    <>
      <p className="answer" data-answer={answer}>
        <Icon name={answer === 'cannot-tell' ? 'warning' : 'check'} />
        {answer === 'paginated' ? 'The API paginates like this' : says}
      </p>
      {recordPath !== null && (
        <p className="record-path">
          {recordPath.length === 0 ? 'The response itself is the list of records.' : 'Records are at '}
          {recordPath.length > 0 && <code>{recordPath.join('.')}</code>}
        </p>
      )}
      {candidates.length > 0 && (
        <ol className="candidates" aria-label="Candidates, the best first">
          {candidates.map((candidate, index) => (
            <li key={index}>
              <CandidateCard
                candidate={candidate}
                isFirst={index === 0 && answer !== 'cannot-tell'}
                isUsed={isReadable && written(candidate) === text}
                isReadable={isReadable}
                onUse={() => {
                  store.edit(written(candidate))
                  onUsed()
                }}
              />
            </li>
          ))}
        </ol>
      )}
      <FoldedProbes probes={probes} />
    </>
  )
}

function announcement(run: WorkState<DetectionEvent>): string {
  if (run.kind === 'running') return 'Detecting pagination'
  return run.kind === 'done' ? (run.end.detection?.says ?? '') : ''
}
