/** The pagination of a described stream: proposed, and after one click as the API has it. */
import { Icon } from '../../icons.tsx'
import type { ConfirmState } from './use-confirming.ts'

const words = { confirmed: 'Confirmed', replaced: 'Replaced', unclear: 'Not confirmed' }

export function ConfirmCell({
  stream,
  proposed,
  state,
  onConfirm,
}: {
  readonly stream: string
  readonly proposed: string
  readonly state: ConfirmState | undefined
  readonly onConfirm: () => void
}) {
  const outcome = state?.kind === 'done' ? state.confirmation : null
  return (
    <div className="paging" data-outcome={outcome?.kind}>
      <span>{outcome?.kind === 'replaced' ? <s>{proposed}</s> : proposed}</span>
      <button
        type="button"
        className="button small"
        disabled={state?.kind === 'asking'}
        title="Asks the API for this stream, at most twelve requests"
        onClick={onConfirm}
      >
        {state === undefined ? 'Confirm' : state.kind === 'asking' ? 'Asking…' : 'Confirm again'}
        <span className="hidden"> {stream}</span>
      </button>
      <p className="outcome" role="status">
        {outcome !== null && (
          <span title={outcome.evidence.join('\n')}>
            <Icon name={outcome.kind === 'unclear' ? 'warning' : 'check'} /> <b>{words[outcome.kind]}:</b>{' '}
            {outcome.says}
          </span>
        )}
        {state?.kind === 'failed' && (
          <span>
            <Icon name="warning" /> {state.trouble}
          </span>
        )}
      </p>
    </div>
  )
}
