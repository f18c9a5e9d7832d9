/** The shape of a captured response, in place: a click on a list or a value picks it. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef, useState } from 'react'
import { useKeysIn } from '../../keys/use-keys-in.ts'
import { textOfNames } from '../../fields/name-path.ts'
import type { Captured } from './use-captured.ts'
import { pathKey, type ResponseRow, treeRows } from './response-tree.ts'
import './response-picker.css'

const rowHeight = 28

export type ResponsePickerProps = {
  readonly captured: Captured
  /** What is shown; the body where absent. Of an object made of several parts, the object itself is not a row. */
  readonly parts?: Readonly<Record<string, unknown>>
  /** Paths that start open although others like them are folded, and the other way round. */
  readonly turnedFirst?: readonly (readonly string[])[]
  /** What to choose, as a sentence. */
  readonly help: string
  readonly picked: readonly string[] | null
  /** What the picked row is called. */
  readonly tag: string
  readonly isPickable: (row: ResponseRow) => boolean
  readonly onPick: (path: readonly string[], row: ResponseRow) => void
  readonly onClose?: () => void
}

export function ResponsePicker(props: ResponsePickerProps) {
  const { captured, parts, turnedFirst = [], help, picked, tag, isPickable, onPick, onClose } = props
  const { isCut, page } = captured
  const body = parts ?? captured.body
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set(turnedFirst.map(pathKey)))
  const rows = useMemo(() => treeRows(body, turned).slice(parts === undefined ? 0 : 1), [body, turned, parts])
  const scroller = useRef<HTMLDivElement>(null)
  const box = useRef<HTMLElement>(null)
  useKeysIn(box, (event) => {
    if (event.key !== 'Escape' || onClose === undefined) return
    event.preventDefault()
    onClose()
  })
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  })

  function turn({ path }: ResponseRow): void {
    const key = pathKey(path)
    const next = new Set(turned)
    if (!next.delete(key)) next.add(key)
    setTurned(next)
  }

  return (
    <section ref={box} className="response-picker" aria-label="Response to pick from">
      <p className="help">
        Page {page.page + 1} as it was read. {help}
        {isCut && ' The response is long; this is its beginning.'}
      </p>
      <div className="rows" ref={scroller} role="group" aria-label="Fields of the response">
        <div style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows[index]
            return (
              row !== undefined && (
                <div className="row" key={pathKey(row.path)} style={{ transform: `translateY(${start}px)` }}>
                  <PickerRow
                    row={row}
                    indent={row.path.length - (parts === undefined ? 0 : 1)}
                    isPickable={isPickable(row)}
                    tag={picked !== null && pathKey(row.path) === pathKey(picked) ? tag : null}
                    onTurn={() => turn(row)}
                    onPick={() => onPick(row.path, row)}
                  />
                </div>
              )
            )
          })}
        </div>
      </div>
    </section>
  )
}

function PickerRow({
  row,
  indent,
  isPickable,
  tag,
  onTurn,
  onPick,
}: {
  row: ResponseRow
  indent: number
  isPickable: boolean
  /** Null where it is not the picked one. */
  tag: string | null
  onTurn: () => void
  onPick: () => void
}) {
  const name = row.name === null ? 'response' : row.name === '*' ? 'each item' : row.name
  const path = row.path.length === 0 ? 'the whole response' : textOfNames(row.path)
  return (
    <div className="line" style={{ paddingLeft: indent * 16 }}>
      {row.canOpen ? (
        <button
          type="button"
          className="opener"
          aria-expanded={row.isOpen}
          aria-label={`${row.isOpen ? 'Close' : 'Open'} ${path}`}
          onClick={onTurn}
        />
      ) : (
        <span className="opener" />
      )}
      {!isPickable ? (
        <span className="value">
          <code>{name}</code> <span>{row.words}</span>
        </span>
      ) : (
        <button
          type="button"
          className="pick"
          data-likely={row.isLikely || undefined}
          aria-pressed={tag !== null}
          onClick={onPick}
        >
          <span className="hidden">{`Use ${path}, ${row.words}`}</span>
          <code aria-hidden="true">{name}</code> <span aria-hidden="true">{row.words}</span>
          {tag !== null && <b aria-hidden="true">{tag}</b>}
        </button>
      )}
    </div>
  )
}
