/** What shows a fault, with the way to the pages that were met, where the test on screen has them too. */
import type { Finding } from '../../server/wire/diagnosis.ts'
import { LongWords } from '../proofs/long-words.tsx'
import { showDetails } from '../test-reads/open-tab.ts'
import { selectPage, useReading, useReadKey } from '../test-reads/read-store.ts'

export function EvidenceList({ evidence, text }: { evidence: Finding['evidence']; text: string }) {
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
