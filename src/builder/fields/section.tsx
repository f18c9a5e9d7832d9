/** A part of a form that can be folded, and, where it is optional, switched on and off. */
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useWantedSection, wantSection } from './wanted-section.ts'
import './section.css'

export type SectionProps = {
  readonly title: string
  /** A summary of its content while it is folded: `GET /orders`. */
  readonly summary?: ReactNode
  /** Given for optional sections. */
  readonly isOn?: boolean
  readonly onSwitch?: (isOn: boolean) => void
  readonly startsOpen?: boolean
  /** The page of the docs about it: `pagination`. The server leads to the public site. */
  readonly docs?: string
  /** Next to the title, whether or not it is on. */
  readonly action?: ReactNode
  /** Under the title, whether or not it is on. */
  readonly note?: ReactNode
  readonly children: ReactNode
}

export function Section(props: SectionProps) {
  const { title, summary, isOn, onSwitch, startsOpen = true, docs, action, note, children } = props
  const id = useId()
  const [isOpen, setOpen] = useState(startsOpen)
  const isShown = isOpen && isOn !== false
  const box = useRef<HTMLElement>(null)
  const wanted = useWantedSection()
  const isWanted = wanted?.title === title
  if (isWanted && !isOpen) setOpen(true)
  useEffect(() => {
    if (!isWanted) return
    box.current?.scrollIntoView({ block: 'start' })
    // A section that is off cannot be folded: its switch is what there is to use.
    if (wanted.takesFocus) box.current?.querySelector<HTMLElement>('.fold:enabled, .switch')?.focus()
    wantSection(null)
  }, [isWanted, wanted])
  return (
    <section className="section" aria-labelledby={id} data-title={title} ref={box}>
      <header>
        <h2 id={id}>
          <button
            type="button"
            className="fold"
            aria-expanded={isShown}
            disabled={isOn === false}
            onClick={() => setOpen(!isOpen)}
          >
            {title}
          </button>
        </h2>
        {!isShown && summary !== undefined && <span className="summary mono">{summary}</span>}
        {isShown && docs !== undefined && (
          <a
            className="docs-link"
            href={`/docs/${docs}`}
            target="_blank"
            rel="noreferrer"
            aria-label={`Docs: ${title}`}
          >
            Docs
          </a>
        )}
        {action}
        {onSwitch !== undefined && (
          <input
            type="checkbox"
            role="switch"
            className="switch"
            aria-label={`${title} on`}
            checked={isOn === true}
            onChange={({ target }) => {
              onSwitch(target.checked)
              setOpen(true)
            }}
          />
        )}
      </header>
      {note}
      {isShown && <div className="content appears">{children}</div>}
    </section>
  )
}
