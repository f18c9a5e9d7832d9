/** Something to know or to decide, quiet and in place above the columns. */
import { type ReactNode, useRef } from 'react'
import { Icon } from '../icons.tsx'
import { useKeptFocus } from '../keys/use-kept-focus.ts'
import './banner.css'

export function Banner({
  tone = 'note',
  words,
  detail,
  children,
}: {
  readonly tone?: 'note' | 'warning'
  readonly words: ReactNode
  /** Opens below: a difference. */
  readonly detail?: ReactNode
  /** Buttons, the one most wanted first. */
  readonly children?: ReactNode
}) {
  const banner = useRef<HTMLDivElement>(null)
  useKeptFocus(banner)
  return (
    <div ref={banner} className="banner appears" data-tone={tone} role="status">
      <div className="line">
        <Icon name={tone === 'warning' ? 'warning' : 'clock'} />
        <span className="words">{words}</span>
        <span className="actions">{children}</span>
      </div>
      {detail}
    </div>
  )
}
