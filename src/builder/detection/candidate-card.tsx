/** One way in which the pages may follow each other: what speaks for it, and the button that writes it. */
import type { Candidate } from '../../server/wire/detection.ts'
import { Worded } from '../fields/inline-code.tsx'
import { LongWords } from '../proofs/long-words.tsx'
import '../proofs/proving.css'

const confidences = {
  shown: { label: 'certain', meaning: 'Only this explains the response to a request.' },
  likely: { label: 'likely', meaning: 'It fits all responses so far.' },
  possible: { label: 'possible', meaning: 'Only a name suggests it.' },
} as const

export type CandidateProps = {
  readonly candidate: Candidate
  readonly isFirst: boolean
  /** The manifest says so already. */
  readonly isUsed: boolean
  readonly isReadable: boolean
  readonly onUse: () => void
}

export function CandidateCard({ candidate, isFirst, isUsed, isReadable, onUse }: CandidateProps) {
  const { says, confidence, evidence, facts } = candidate
  const isOff = isUsed || !isReadable
  return (
    <article className="candidate">
      <header>
        <h3>
          <Worded text={says} />
        </h3>
        <span className="confidence" data-confidence={confidence} title={confidences[confidence].meaning}>
          {confidences[confidence].label}
        </span>
      </header>
      <ul className="evidence-list">
        {evidence.map((one) => (
          <li key={one}>
            <LongWords text={one} />
          </li>
        ))}
        {facts.stops !== '' && (
          <li>
            stops <Worded text={facts.stops} />
          </li>
        )}
      </ul>
      <button
        type="button"
        className={isFirst ? 'button main' : 'button'}
        aria-disabled={isOff}
        onClick={() => {
          if (!isOff) onUse()
        }}
      >
        {isUsed ? 'In use' : 'Use this'}
      </button>
    </article>
  )
}
