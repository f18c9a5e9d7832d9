/** A place to try a template against a captured page before it goes into the field. */
import { useRef, useState } from 'react'
import type { ReadPage } from '../../server/wire/test-read.ts'
import { TemplateInput, type TemplateInputHandle } from '../templates/template-input.tsx'
import { type TemplatePlace, useTemplateNames } from '../templates/use-template-names.ts'
import { useReading, useSelectedPage } from '../test-reads/reading.ts'
import { NamesTree } from './names-tree.tsx'
import { OutcomeView } from './outcome-view.tsx'
import { PageChoice } from './page-choice.tsx'
import './playground.css'
import { useEscape } from './use-escape.ts'
import { useEvaluation } from './use-evaluation.ts'

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
