/** One name and its value. Alt with an arrow, in the name, moves the row. */
import { type KeyboardEvent, useEffect, useId, useRef } from 'react'
import type { Path } from '../../document/value-path.ts'
import type { PairFault, PairRow } from './pair-rows.ts'
import { RowButtons } from './row-buttons.tsx'
import { PairValue } from './pair-value.tsx'
import { WrittenSecret } from './written-secret.tsx'

const faults: Record<PairFault, (one: string) => string> = {
  empty: (one) => `Give the ${one} a name; until then it is not written.`,
  taken: (one) => `Another ${one} has this name.`,
}

export function PairsRow({
  at,
  one,
  row,
  fault,
  canMove,
  onChange,
  onMove,
  onRemove,
}: {
  at: Path
  one: string
  row: PairRow
  fault: PairFault | null
  canMove: boolean
  onChange: (row: PairRow) => void
  onMove: (by: -1 | 1) => void
  onRemove: () => void
}) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const isNew = row.key === null
  // A row without a name appears because somebody asked for one to type into.
  useEffect(() => {
    if (isNew) input.current?.focus()
  }, [isNew])
  const name = row.typed === '' ? `new ${one}` : row.typed

  function moveByKey(event: KeyboardEvent): void {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    onMove(event.key === 'ArrowUp' ? -1 : 1)
  }

  return (
    <div className="row" role="group" aria-label={name}>
      <input
        ref={input}
        className="input mono"
        aria-label={`Name of ${name}`}
        aria-invalid={fault !== null || undefined}
        aria-describedby={fault === null ? undefined : id}
        onKeyDown={moveByKey}
        value={row.typed}
        placeholder="name"
        spellCheck={false}
        autoComplete="off"
        onChange={({ target }) => onChange({ ...row, typed: target.value })}
      />
      <PairValue at={at} name={name} row={row} onDraft={(value) => onChange({ ...row, value })} />
      <div className="moves">
        <RowButtons name={name} onMove={canMove ? onMove : undefined} onRemove={onRemove} />
      </div>
      {fault !== null && (
        <p className="fault" id={id}>
          {faults[fault](one)}
        </p>
      )}
      {row.key !== null && <WrittenSecret at={[...at, row.key]} />}
    </div>
  )
}
