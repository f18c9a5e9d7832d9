/** The right column: read some pages, and see each of them. */
import { useState } from 'react'
import { useStreams } from '../editor/use-streams.ts'
import { useDiagnosis } from '../proofs/use-proofs.ts'
import { Worded } from '../fields/inline-code.tsx'
import { NeededInputsForm } from './inputs/needed-inputs-form.tsx'
import { useNeededInputs } from './inputs/use-needed-inputs.ts'
import { ProblemBox } from './outcome/problem-box.tsx'
import { useDetails } from './open-tab.ts'
import { isProof, PageDetails } from './page-details.tsx'
import type { Auxiliary, ReadState } from './read-state.ts'
import { useBegunAt, useIsPageChosen, useReading, useSelectedPage } from './read-store.ts'
import { useLimits } from './test-limits.ts'
import { TestBar } from './test-bar.tsx'
import { Timeline } from './timeline/timeline.tsx'
import { type TimelineRow, tryRowId } from './timeline/timeline-rows.ts'
import { type Testing, useTest, useTestKeys } from './use-test.ts'
import { Icon } from '../icons.tsx'
import { lazyPart } from '../lazy-part.tsx'
import { LockedNote } from '../test-configs/locked-note.tsx'
import { verdictNames } from './outcome/verdict-words.ts'
import { useSession } from '../session/use-session.tsx'
import { announcement, endWords, waitAt, waitingWords } from './read-words.ts'
import { keyLabel } from '../keys/use-keys.ts'
import { useCommands } from '../palette/offered.ts'
import { useNow } from './use-now.ts'
import './test-panel.css'
import './outcome/outcome.css'

/** Rarely needed, and it brings the names of what responses say. */
const RecordPathNote = lazyPart(
  () => import('./outcome/record-path-note.tsx').then((loaded) => loaded.RecordPathNote),
  { waiting: null },
)

export function TestPanel({ stream }: { stream: string | null }) {
  const testing = useTest(stream)
  useTestKeys(testing)
  useCommands(() =>
    stream === null
      ? []
      : [{ id: 'test', group: 'Actions', label: `Test ${stream}`, hint: keyLabel('mod+enter'), run: testing.start }],
  )
  const isTemplate = useStreams().some(({ name, kind }) => name === stream && kind === 'dynamic')
  if (stream === null) return <p className="test-empty">Add a stream to test it.</p>
  if (isTemplate) {
    return <p className="test-empty">The streams of a template are made when the connector runs: a sync reads them.</p>
  }
  return <StreamTest key={stream} stream={stream} testing={testing} />
}

function StreamTest({ stream, testing }: { stream: string; testing: Testing }) {
  const read = useReading()
  const needed = useNeededInputs()
  const details = useDetails()
  const { start: diagnose } = useDiagnosis(stream)
  return (
    <div className="test-panel">
      <h2 className="hidden">Test {stream}</h2>
      <TestBar stream={stream} testing={testing} />
      <ReadStatus testing={testing} />
      <LockedNote />
      {read !== null && <VerdictBar read={read} onFindOut={diagnose} />}
      {read !== null && mayMissRecords(read) && <RecordPathNote read={read} onUsed={testing.start} />}
      {needed.length > 0 && <NeededInputsForm needed={needed} onReady={testing.start} />}
      {read === null && !isProof(details) ? (
        <div className="test-empty">
          <p>A test requests the first pages of {stream} and shows each request, its response and its records.</p>
          {needed.length === 0 && (
            <button type="button" className="button" onClick={testing.start}>
              Read the first pages
            </button>
          )}
        </div>
      ) : (
        <Outcome read={read} stream={stream} testing={testing} isAsked={needed.length > 0} />
      )}
    </div>
  )
}

type OutcomeProps = {
  readonly read: ReadState | null
  readonly stream: string
  readonly testing: Testing
  /** Whether the form for missing inputs is shown: it says what is missing. */
  readonly isAsked: boolean
}

/** The latest read, if there was one, with diagnosis and survey. */
function Outcome({ read, stream, testing, isAsked }: OutcomeProps) {
  const page = useSelectedPage()
  const details = useDetails()
  const [row, setRow] = useState<TimelineRow | null>(null)
  const { start } = useDiagnosis(stream)
  const findOut = { onFindOut: start }
  const isChosen = useIsPageChosen()
  const auxiliary = read && auxiliaryOf(row, read, isChosen)
  const failed = read?.tries.find((one) => one.auxiliary === auxiliary)
  const hasDetails = page !== null || auxiliary !== null || (read?.notices.length ?? 0) > 0
  return (
    <>
      {read !== null && hasRows(read) && (
        <Timeline read={read} resting={row?.id ?? (failed === undefined ? null : tryRowId(failed))} onRest={setRow} />
      )}
      {read?.problem != null && !(isAsked && read.problem.code === 'plan/missing-config') && (
        <ProblemBox problem={read.problem} stream={read.stream} onRetry={testing.start} {...findOut} />
      )}
      {(hasDetails || isProof(details)) && <PageDetails {...{ read, page, auxiliary, stream, testing }} />}
    </>
  )
}

function mayMissRecords({ pages, status }: ReadState): boolean {
  return status !== 'reading' && pages.length > 0 && pages.every(({ received }) => received <= 1)
}

function hasRows({ pages, auxiliaries, tries, asked }: ReadState): boolean {
  return pages.length + auxiliaries.length + tries.length > 0 || asked !== null
}

/** The one that is chosen; until something is, of a read that failed the request that failed. */
function auxiliaryOf(row: TimelineRow | null, read: ReadState, isPageChosen: boolean): Auxiliary | null {
  const { auxiliaries, tries, pages, ending } = read
  const chosen = row?.kind === 'auxiliary' || row?.kind === 'try' ? row.auxiliary : null
  if (chosen !== null && (auxiliaries.includes(chosen) || tries.some((one) => one.auxiliary === chosen))) return chosen
  const isFailed = ending === 'failed' || (ending !== null && pages.length === 0)
  return isFailed && !isPageChosen && row === null ? (tries.at(-1)?.auxiliary ?? null) : null
}

function VerdictBar({ read: { end, isForPicking }, onFindOut }: { read: ReadState; onFindOut: () => void }) {
  const verdict = end?.verdict ?? null
  if (verdict === null || end?.ending === 'failed' || isForPicking) return null
  const isGood = verdict === 'complete'
  return (
    <div className="verdict-bar" data-verdict={verdict}>
      <Icon name={isGood ? 'check' : 'warning'} />
      <p>
        <b>{verdictNames[verdict]}:</b> {end?.verdictWords}
      </p>
      {isGood || (
        <button type="button" className="button small" onClick={onFindOut}>
          Find out why
        </button>
      )}
    </div>
  )
}

function ReadStatus({ testing }: { testing: Testing }) {
  const read = useReading()
  return (
    <>
      <div className="read-status" data-ending={read?.ending ?? 'none'}>
        {read !== null && (read.status === 'reading' ? <Waiting read={read} /> : <Ended read={read} />)}
        {read !== null && <ReadMore read={read} onMore={testing.readMore} />}
      </div>
      {read?.wait != null && <WaitReason read={read} />}
      <p className="hidden" aria-live="polite">
        {announcement(read)}
      </p>
    </>
  )
}

function Waiting({ read }: { read: ReadState }) {
  const begunAt = useBegunAt()
  const now = useNow(true)
  return (
    <>
      <span className="pulse" />
      <span className="words">{waitingWords(read, now - begunAt)}</span>
    </>
  )
}

function WaitReason({ read }: { read: ReadState }) {
  const begunAt = useBegunAt()
  const wait = waitAt(read, useNow(true) - begunAt)
  if (wait === null) return null
  return (
    <p className="wait-reason">
      <Worded text={wait.text} />
    </p>
  )
}

function Ended({ read }: { read: ReadState }) {
  const text = useSession((session) => session.text)
  return (
    <>
      <span className="words">{endWords(read)}</span>
      {read.startedOver !== null && <span className="tag">{read.startedOver}</span>}
      {read.text !== text && !read.isForPicking && <span className="tag">edited since</span>}
    </>
  )
}

/** Stays while the next pages are read, so that the focus stays too. */
function ReadMore({ read, onMore }: { read: ReadState; onMore: () => void }) {
  const { maxPages } = useLimits()
  const text = useSession((session) => session.text)
  const isReading = read.status === 'reading'
  if (isReading ? !read.isContinued : read.end?.canContinue !== true) return null
  return (
    <button
      type="button"
      className="button small"
      aria-disabled={isReading}
      title={moreWords(read, text)}
      onClick={() => void (isReading || onMore())}
    >
      Read {maxPages} more
    </button>
  )
}

function moreWords({ slices, pages, text: tested }: ReadState, text: string): string {
  if (tested !== text) return 'The connector was edited since the test: it starts over.'
  return slices.length > 1 ? 'Continues every slice that was cut off.' : `Continues after page ${pages.length}.`
}
