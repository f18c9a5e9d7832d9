/** A field of the pagination whose value is picked from a captured response: the Pick button and the tree below it. */
import { useId, useMemo, useState, type ReactNode } from 'react'
import { detach, removeResolved } from '../../../document/edit-resolved.ts'
import type { Path } from '../../../document/value-path.ts'
import { useSessionStore } from '../../session/use-session.tsx'
import { useTestedStream } from '../../test-reads/tested-stream.ts'
import { ResponsePicker } from '../records/response-picker.tsx'
import type { ResponseRow } from '../records/response-tree.ts'
import { type Captured, useCaptured } from '../records/use-captured.ts'
import { useFirstPage } from '../../test-reads/use-test.ts'
import { pickableParts } from './picked-path.ts'

export type ValuePicker = {
  /** Null before the stream was read. */
  readonly captured: Captured | null
  readonly parts: Readonly<Record<string, unknown>>
  /** Reads the first page, to have something to pick from. */
  readonly onCapture: () => void
  /** For those who listen: which field it fills. */
  readonly what: string
  readonly help: string
  readonly tag: string
  readonly picked: readonly string[] | null
  readonly isPickable?: (row: ResponseRow) => boolean
  readonly onPick: (row: ResponseRow) => void
}

/** For several fields of one form: they pick from the same page. */
export function useValuePickers(paginatorAt: Path): (field: PickedField) => ValuePicker {
  const stream = useTestedStream()
  const store = useSessionStore()
  const readFirstPage = useFirstPage(stream)
  const captured = useCaptured(stream ?? '')
  const page = captured?.page
  const parts = useMemo(() => {
    if (page === undefined) return {}
    const { records, emitted, response } = page
    // Of a page with many records only the first are here.
    return pickableParts(captured?.body, response.headers, records.length === emitted ? records.at(-1) : undefined)
  }, [captured?.body, page])
  // Without a cursor, pagination is not complete and cannot be read with.
  const onCapture = () => {
    const { text } = store.get().document
    readFirstPage(removeResolved(detach(text, paginatorAt), paginatorAt))
  }
  return (field) => ({ ...field, captured, parts, onCapture })
}

type PickedField = Omit<ValuePicker, 'captured' | 'parts' | 'onCapture'>

/** Open to begin with is what a cursor is usually in: the response, and the next link where there are links. */
const turned = { withLinks: [['headers', 'link', 'next'], ['last_record']], without: [['headers'], ['last_record']] }

export function Pickable({ picker, children }: { picker: ValuePicker; children: ReactNode }) {
  const { captured, parts, what, help, tag, picked, isPickable = () => true, onPick, onCapture } = picker
  const id = useId()
  const [isPicking, setPicking] = useState(false)
  const isOpen = isPicking && captured !== null
  const hasLinks = captured?.page.response.headers.link !== undefined
  const rowsByPath = (row: ResponseRow) =>
    row.kind === 'value' && row.path.length > 1 && !row.path.includes('*') && isPickable(row)
  return (
    <>
      <div className="field-path">
        {children}
        <button
          type="button"
          id={id}
          className="button"
          aria-expanded={isOpen}
          title={captured === null ? 'Reads the first page, to pick from its response' : undefined}
          onClick={() => {
            if (captured === null) onCapture()
            setPicking(captured === null || !isPicking)
          }}
        >
          Pick<span className="hidden"> {what}</span>
        </button>
      </div>
      {isOpen && (
        <ResponsePicker
          captured={captured}
          parts={parts}
          turnedFirst={hasLinks ? turned.withLinks : turned.without}
          help={help}
          tag={tag}
          picked={picked}
          isPickable={rowsByPath}
          onPick={(_path, row) => onPick(row)}
          onClose={() => {
            setPicking(false)
            document.getElementById(id)?.focus()
          }}
        />
      )}
    </>
  )
}
