/** What is running, and a button to cancel it. */
import type { ReactNode } from 'react'
import './proving.css'

export function Working({ words, onCancel, children }: { words: string; onCancel: () => void; children?: ReactNode }) {
  return (
    <div className="working">
      <div className="line">
        <span className="pulse" />
        <span className="words">{words}</span>
        <button type="button" className="button small" onClick={onCancel}>
          Cancel
        </button>
      </div>
      {children}
    </div>
  )
}
