/** Names and values: query parameters, headers, a body. Names that are empty or taken are shown, and wait to be mended. */
import { useId, useLayoutEffect, useRef, useState } from 'react'
import { isObject } from '../../members.ts'
import { useField } from '../session/use-field.ts'
import type { FieldProps } from './field.tsx'
import { InYaml } from './in-yaml.tsx'
import { faultOf, matchRows, moved, type PairRow, withNewRow, withRow } from './pair-rows.ts'
import { PairsRow } from './pairs-row.tsx'
import './pairs-field.css'

/** @param one what a row is called: "parameter", "header". */
export function PairsField({ one, ...field }: FieldProps & { one: string }) {
  const { value, set, remove } = useField(field.at)
  const id = useId()
  const [held, hold] = useState<readonly PairRow[]>([])
  const refocus = useRef<Element | null>(null)
  const add = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    if (refocus.current instanceof HTMLElement) refocus.current.focus()
    refocus.current = null
  })
  if (value !== undefined && value !== null && !isObject(value)) return <InYaml what={field.label} />

  const pairs = value ?? {}
  const rows = matchRows(held, Object.keys(pairs))

  /** Writes the rows that have a name of their own, in their order; the others stay as drafts. */
  function write(changed: readonly PairRow[]): void {
    const next = changed.map((row) => (faultOf(changed, row) === null ? { ...row, key: row.typed } : row))
    const before = new Map(rows.map((row) => [row.id, row]))
    const entries = next.flatMap((row): [string, unknown][] => {
      if (row.key === null) return []
      const was = before.get(row.id)?.key ?? null
      return [[row.key, was === null ? row.value : pairs[was]]]
    })
    hold(next)
    if (entries.length === 0) remove()
    else if (!isSame(entries, Object.entries(pairs))) set(Object.fromEntries(entries))
  }

  function move(from: number, to: number): void {
    refocus.current = document.activeElement
    write(moved(rows, from, to))
  }

  return (
    <fieldset className="pairs" aria-describedby={field.help === undefined ? undefined : `${id}-help`}>
      <legend>
        {field.label}
        {field.isRequired || <span className="optional"> optional</span>}
      </legend>
      {field.help !== undefined && (
        <p className="help" id={`${id}-help`}>
          {field.help}
        </p>
      )}
      {rows.map((row, index) => (
        <PairsRow
          key={row.id}
          at={field.at}
          one={one}
          row={row}
          fault={faultOf(rows, row)}
          canMove={rows.length > 1}
          onChange={(changed) => write(withRow(rows, changed))}
          onMove={(by) => move(index, index + by)}
          onRemove={() => {
            refocus.current = add.current
            write(rows.toSpliced(index, 1))
          }}
        />
      ))}
      <button ref={add} type="button" className="button quiet small" onClick={() => hold(withNewRow(rows))}>
        <span aria-hidden="true">+</span> Add {one}
      </button>
    </fieldset>
  )
}

function isSame(left: readonly [string, unknown][], right: readonly [string, unknown][]): boolean {
  return (
    left.length === right.length &&
    left.every(([key, value], index) => key === right[index]?.[0] && value === right[index][1])
  )
}
