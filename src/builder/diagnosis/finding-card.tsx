/** One finding: what it is, its evidence, the fix, and what the fix reads. */
import { useMemo } from 'react'
import { applyEdits } from '../../proof/diagnosis/apply-edits.ts'
import type { Finding } from '../../server/wire/diagnosis.ts'
import { Difference } from '../difference/difference.tsx'
import { Worded } from '../fields/inline-code.tsx'
import { Icon } from '../icons.tsx'
import { useSession, useSessionStore } from '../session/use-session.tsx'
import { useReading, selectPage, useReadKey } from '../test-reads/read-store.ts'
import type { TestLimits } from '../test-reads/test-limits.ts'
import type { Testing } from '../test-reads/use-test.ts'
import { LongWords } from '../proofs/long-words.tsx'
import { showDetails } from '../test-reads/open-tab.ts'

type Fix = NonNullable<Finding['fix']>

export type FindingProps = {
  readonly finding: Finding
  /** What was diagnosed. */
  readonly text: string
  readonly isFirst: boolean
  readonly testing: Testing
}

export function FindingCard({ finding, text, isFirst, testing }: FindingProps) {
  const { title, fault, says, evidence, fix, advice, code } = finding
  const isResolved = useIsResolved(fix)
  return (
    <article className="finding" data-fault={fault} data-resolved={isResolved || undefined}>
      <header>
        <Icon name={isResolved ? 'check' : 'warning'} />
        <h3>{isResolved ? `Fixed: ${title}` : title}</h3>
      </header>
      <p>
        <Worded text={says} />
      </p>
      <EvidenceList evidence={evidence} text={text} />
      {fix !== null && <FixView fix={fix} text={text} isFirst={isFirst} testing={testing} />}
      {advice !== '' && (
        <p className="advice">
          <Worded text={advice} />
        </p>
      )}
      <footer>
        <span>{fault === 'manifest' ? 'The manifest can be fixed' : 'The API does this'}</span>
        <code>{code}</code>
      </footer>
    </article>
  )
}

/** What shows a fault, with the way to the pages that were met, where the test on screen has them too. */
function EvidenceList({ evidence, text }: { evidence: Finding['evidence']; text: string }) {
  if (evidence.length === 0) return null
  return (
    <ul className="evidence-list">
      {evidence.map(({ says, pages }) => (
        <li key={says}>
          <LongWords text={says} />
          {pages.length > 0 && (
            <span className="pages">
              {pages.map((page) => (
                <PageLink key={page} number={page} text={text} />
              ))}
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

/** Pages of another text are other pages. */
function PageLink({ number, text }: { number: number; text: string }) {
  const key = useReadKey()
  const read = useReading()
  const page = read?.text === text ? read.pages[number - 1] : undefined
  if (page === undefined) return <span>page {number}</span>
  return (
    <button
      type="button"
      className="link"
      onClick={() => {
        selectPage(key, page)
        showDetails('response')
      }}
    >
      page {number}
    </button>
  )
}

/** The change is in the manifest, and a test of that manifest found nothing wrong. */
function useIsResolved(fix: Fix | null): boolean {
  const now = useSession((session) => session.text)
  const isReadable = useSession((session) => session.isReadable)
  const read = useReading()
  const isTested = read?.text === now && read.end !== null && read.ending !== 'failed'
  const isApplied = useMemo(
    () => fix !== null && isReadable && isTested && applyEdits(now, fix.edits) === now,
    [fix, isReadable, isTested, now],
  )
  return isApplied && read?.end?.verdict !== 'incomplete' && read?.end?.verdict !== 'duplicated'
}

function FixView({ fix, text, isFirst, testing }: Omit<FindingProps, 'finding'> & { fix: Fix }) {
  const store = useSessionStore()
  const now = useSession((session) => session.text)
  const isReadable = useSession((session) => session.isReadable)
  // What is left of the change: nothing, once it is applied, by whichever way.
  const fixed = useMemo(() => (isReadable ? applyEdits(now, fix.edits) : now), [now, isReadable, fix])
  const after = useMemo(() => applyEdits(text, fix.edits), [text, fix])
  const isApplied = isReadable && fixed === now
  return (
    <div className="fix">
      <p>
        <b>Change</b> <Worded text={fix.says} />
      </p>
      <Difference before={text} after={after} beforeName="now" afterName="fixed" isSmall />
      {fix.retest !== null && (
        <p className="retest" data-fixed={fix.retest.isFixed}>
          <Icon name={fix.retest.isFixed ? 'check' : 'warning'} />
          With it: {fix.retest.says}
        </p>
      )}
      <div className="actions">
        <button
          type="button"
          className={isFirst ? 'button main' : 'button'}
          aria-disabled={isApplied || !isReadable}
          onClick={() => {
            if (isApplied || !isReadable) return
            store.edit(fixed)
            testing.startWith(pagesOf(fix))
          }}
        >
          {isApplied ? 'Applied' : 'Apply and test'}
        </button>
        {isApplied && <span className="applied">It is in the manifest now. Undo reverts it.</span>}
      </div>
    </div>
  )
}

/** The test that follows goes as far as the re-test did, so that it shows the same. */
function pagesOf({ retest }: Fix): Partial<TestLimits> {
  const proof = retest?.proof
  return proof == null ? {} : { maxPages: proof.pages, maxRecords: proof.emitted + 1 }
}
