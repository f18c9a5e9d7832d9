/** One name and its value. Alt with an arrow, in the name, moves the row. */
import { type KeyboardEvent, useEffect, useId, useRef } from 'react'
import type { Path } from '../../document/value-path.ts'
import type { PairFault, PairRow } from './pair-rows.ts'
import { RowButtons } from './row-buttons.tsx'
import { WrittenSecret } from './written-secret.tsx'
import { useField } from '../session/use-field.ts'
import { TemplateInput } from '../templates/template-input.tsx'
import { placeOfTemplate, useTemplateNames } from '../templates/use-template-names.ts'
import { Field } from './field.tsx'
import { InYaml } from './in-yaml.tsx'
import { shownText } from './text-field.tsx'

const faults: Record<PairFault, (one: string) => string> = {
  empty: (one) => `Enter a name for the ${one}; until then it is not saved.`,
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
  // A row without a name was just added, to type into.
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

function PairValue({
  at,
  name,
  row,
  onDraft,
}: {
  at: Path
  name: string
  row: PairRow
  onDraft: (value: string) => void
}) {
  const place = [...at, row.key ?? '']
  const { value, set } = useField(place)
  const names = useTemplateNames(placeOfTemplate(place))
  const isWritten = row.key !== null
  if (isWritten && typeof value === 'object' && value !== null) return <InYaml what={name} why="is not one value." />
  return (
    <Field at={place} label={`Value of ${name}`} isLabelHidden>
      {(control) => (
        <TemplateInput
          control={control}
          value={isWritten ? shownText(value) : row.value}
          placeholder="value"
          names={names}
          onChange={isWritten ? set : onDraft}
        />
      )}
    </Field>
  )
}
