/** One line where a read does not prove to be whole: why, and the way to find out more. */
import { Icon } from '../../icons.tsx'
import type { ReadState } from '../read-state.ts'
import './outcome.css'
import { verdictNames } from './verdict-words.ts'

export function VerdictBar({ read: { end }, onFindOut }: { read: ReadState; onFindOut?: () => void }) {
  const verdict = end?.verdict ?? null
  if (verdict === null || verdict === 'complete' || end?.ending === 'failed') return null
  return (
    <div className="verdict-bar" data-verdict={verdict}>
      <Icon name="warning" />
      <p>
        <b>{verdictNames[verdict]}:</b> {end?.verdictWords}
      </p>
      {onFindOut !== undefined && (
        <button type="button" className="button small" onClick={onFindOut}>
          Find out why
        </button>
      )}
    </div>
  )
}
