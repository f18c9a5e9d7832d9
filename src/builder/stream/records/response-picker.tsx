/** The shape of the captured response, in place: a click on a list makes it the one that records come from. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef, useState } from 'react'
import { textOfNames } from '../../fields/name-path.ts'
import type { Captured } from './use-captured.ts'
import { pathKey, type ResponseRow, treeRows } from './response-tree.ts'
import './response-picker.css'

const rowHeight = 28

export function ResponsePicker({
  captured: { body, isCut, page },
  picked,
  onPick,
}: {
  captured: Captured
  picked: readonly string[]
  onPick: (path: readonly string[]) => void
}) {
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set())
  const rows = useMemo(() => treeRows(body, turned), [body, turned])
  const scroller = useRef<HTMLDivElement>(null)
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
    <section className="response-picker" aria-label="Response to pick from">
      <p className="help">
        Page {page.page + 1} as it was read. Choose the list that holds the records.
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
                    isPicked={pathKey(row.path) === pathKey(picked)}
                    onTurn={() => turn(row)}
                    onPick={() => onPick(row.path)}
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
  isPicked,
  onTurn,
  onPick,
}: {
  row: ResponseRow
  isPicked: boolean
  onTurn: () => void
  onPick: () => void
}) {
  const name = row.name === null ? 'response' : row.name === '*' ? 'each item' : row.name
  const path = row.path.length === 0 ? 'the whole response' : textOfNames(row.path)
  return (
    <div className="line" style={{ paddingLeft: row.path.length * 16 }}>
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
      {row.kind === 'value' ? (
        <span className="value">
          <code>{name}</code> <span>{row.words}</span>
        </span>
      ) : (
        <button
          type="button"
          className="pick"
          data-likely={row.isLikely || undefined}
          aria-pressed={isPicked}
          onClick={onPick}
        >
          <span className="hidden">{`Use ${path}, ${row.words}`}</span>
          <code aria-hidden="true">{name}</code> <span aria-hidden="true">{row.words}</span>
          {isPicked && <b aria-hidden="true">records</b>}
        </button>
      )}
    </div>
  )
}
