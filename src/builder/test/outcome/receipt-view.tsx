/** What the read proves about its own completeness, in words and figures. */
import { Icon } from '../../icons.tsx'
import { number } from '../../../words.ts'
import { duration } from '../durations.ts'
import type { ReadState } from '../read-state.ts'
import { recordsIn } from '../read-words.ts'
import './outcome.css'

const meanings = {
  complete: 'Complete: what was read agrees with what the API says there is.',
  unproven: 'Unproven: the API says nothing that would prove that this is all.',
  incomplete: 'Incomplete: the API says there is more than was read.',
  duplicated: 'Duplicated: records came more than once.',
} as const

export function ReceiptView({ read }: { read: ReadState }) {
  const { end, status, pages, slices } = read
  if (end === null) {
    return (
      <p className="quiet-words">
        {status === 'reading'
          ? 'The receipt is written when the test ends.'
          : 'A test that did not end has no receipt.'}
      </p>
    )
  }
  const received = pages.reduce((sum, page) => sum + page.received, 0)
  return (
    <section className="receipt" aria-label="Receipt">
      <p className="verdict" data-verdict={end.verdict ?? 'none'}>
        <Icon name={end.verdict === 'complete' ? 'check' : 'warning'} />
        {end.verdict === null ? 'Nothing can be said about completeness.' : meanings[end.verdict]}
      </p>
      {end.verdictWords !== null && (
        <p className="evidence">
          Evidence: <b>{end.verdictWords}</b>
        </p>
      )}
      <dl>
        <Figure name="Pages" value={number(pages.length)} />
        {slices.length > 1 && <Figure name="Slices" value={number(slices.length)} />}
        <Figure name="Records received" value={number(received)} />
        <Figure name="Records kept" value={number(recordsIn(read))} />
        <Figure name="Took" value={duration(read.at)} />
      </dl>
    </section>
  )
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}
