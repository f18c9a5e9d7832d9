/** A place to try a template against a captured page before it goes into the field. */
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ReadPage } from '../../server/wire/test-read.ts'
import { TemplateInput, type TemplateInputHandle } from '../templates/template-input.tsx'
import { type TemplatePlace, useTemplateNames } from '../templates/use-template-names.ts'
import { useReading, useSelectedPage } from '../test-reads/read-store.ts'
import { NamesTree } from './names-tree.tsx'
import { OutcomeView } from './outcome-view.tsx'
import { useEvaluation } from './use-evaluation.ts'
import type { ReadState } from '../test-reads/read-state.ts'
import './playground.css'

export type PlaygroundProps = {
  /** Of the field that it belongs to. */
  readonly label: string
  readonly value: string
  readonly as: 'string' | 'boolean'
  readonly place: TemplatePlace
  readonly onUse: (value: string) => void
  readonly onClose: () => void
}

export function Playground({ label, value, as, place, onUse, onClose }: PlaygroundProps) {
  const read = useReading()
  const selected = useSelectedPage()
  const [chosen, setChosen] = useState<ReadPage | null>(null)
  const page = chosen !== null && read?.pages.includes(chosen) === true ? chosen : selected
  const [draft, setDraft] = useState(value)
  const names = useTemplateNames(place, page)
  const input = useRef<TemplateInputHandle>(null)
  const box = useEscape(onClose)
  const outcome = useEvaluation(draft, {
    as,
    ...(read?.id != null && page !== null && { page: { read: read.id, slice: page.slice, page: page.page } }),
  })
  return (
    <section className="playground appears" aria-label="Playground" ref={box}>
      <header>
        <h3>
          Try <span className="of">{label}</span>
        </h3>
        <PageChoice read={read} page={page} onChoose={setChosen} />
      </header>
      <TemplateInput
        control={{ 'aria-label': 'Template to try', autoFocus: true }}
        value={draft}
        onChange={setDraft}
        names={names}
        placeholder="{{ response.next }}"
        isMultiline
        handle={input}
      />
      <OutcomeView outcome={outcome} />
      <NamesTree members={names.members} onChoose={(path) => input.current?.insert(path)} />
      <footer>
        <button type="button" className="button small main" disabled={draft === value} onClick={() => onUse(draft)}>
          Use
        </button>
        <button type="button" className="button small" onClick={onClose}>
          Close
        </button>
      </footer>
    </section>
  )
}

type PageChoiceProps = {
  readonly read: ReadState | null
  readonly page: ReadPage | null
  readonly onChoose: (page: ReadPage) => void
}

function PageChoice({ read, page, onChoose }: PageChoiceProps) {
  if (read === null || page === null) {
    return <span className="soft">No page was read yet. Run a test to try it against a real response.</span>
  }
  const manySlices = read.slices.length > 1
  return (
    <label className="page-choice">
      Page of {read.stream}
      <select
        className="input"
        value={keyOf(page)}
        onChange={({ target }) => {
          const chosen = read.pages.find((one) => keyOf(one) === target.value)
          if (chosen !== undefined) onChoose(chosen)
        }}
      >
        {read.pages.map((one) => (
          <option key={keyOf(one)} value={keyOf(one)}>
            {manySlices ? `slice ${one.slice + 1}, page ${one.page + 1}` : `page ${one.page + 1}`}
          </option>
        ))}
      </select>
    </label>
  )
}

const keyOf = ({ slice, page }: ReadPage) => `${slice}/${page}`

function useEscape(onEscape: () => void): RefObject<HTMLElement | null> {
  const box = useRef<HTMLElement>(null)
  const escape = useEffectEvent(onEscape)
  useEffect(() => {
    const element = box.current
    const key = (event: KeyboardEvent) => {
      const hasList = element?.querySelector('[aria-activedescendant]') != null
      if (event.key !== 'Escape' || event.defaultPrevented || hasList) return
      event.stopPropagation()
      escape()
    }
    element?.addEventListener('keydown', key)
    return () => element?.removeEventListener('keydown', key)
  }, [])
  return box
}
