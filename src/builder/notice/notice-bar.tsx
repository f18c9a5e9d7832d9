/** The latest notice, at the bottom of the page; goes by itself unless it is being read or reached for. */
import { useEffect, useRef } from 'react'
import { Icon } from '../icons.tsx'
import { useKeptFocus } from '../keys/use-kept-focus.ts'
import { showNotice, type ShownNotice, useNotice } from './notices.ts'
import './notice-bar.css'

/** Long enough to read and to reach the button. */
const shownMs = 10_000

export function NoticeBar() {
  const notice = useNotice()
  const bar = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (notice === null) return
    const timer = setInterval(() => {
      if (bar.current?.matches(':hover, :focus-within') !== true) showNotice(null)
    }, shownMs)
    return () => clearInterval(timer)
  }, [notice])

  return (
    <div className="notice-bar" role="status" ref={bar}>
      {notice !== null && <Notice key={notice.text} notice={notice} />}
    </div>
  )
}

function Notice({ notice: { text, action } }: { notice: ShownNotice }) {
  const shown = useRef<HTMLDivElement>(null)
  useKeptFocus(shown)
  return (
    <div ref={shown} className="notice appears">
      <span>{text}</span>
      {action !== undefined && (
        <button
          type="button"
          className="button small"
          onClick={() => {
            action.run()
            showNotice(null)
          }}
        >
          {action.label}
        </button>
      )}
      <button
        type="button"
        className="button quiet small icon-only"
        aria-label="Close"
        onClick={() => showNotice(null)}
      >
        <Icon name="close" />
      </button>
    </div>
  )
}
