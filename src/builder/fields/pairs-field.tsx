/** Names and values: query parameters, headers, a body. Empty and duplicate names are shown until they are fixed. */
import { useId, useLayoutEffect, useRef, useState } from 'react'
import { isObject } from '../../std/values/objects.ts'
import { useField } from '../session/use-field.ts'
import { useSessionStore } from '../session/use-session.tsx'
import type { FieldProps } from './field.tsx'
import { InYaml } from './in-yaml.tsx'
import { faultOf, matchRows, moved, type PairRow, withNewRow, withRow } from './pair-rows.ts'
import { PairsRow } from './pairs-row.tsx'
import { writePairs } from './write-pairs.ts'
import './pairs-field.css'

/**
 * @param one what a row is called: "parameter", "header"
 * @param keepsEmpty the key is there, though it may have nothing in it
 */
export function PairsField({ one, keepsEmpty = false, ...field }: FieldProps & { one: string; keepsEmpty?: boolean }) {
  const { value, set, remove } = useField(field.at)
  const store = useSessionStore()
  const id = useId()
  const mark = field.at.join('/')
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
    const before = new Map(rows.map((row) => [row.id, row.key]))
    const next = changed.map((row) => (faultOf(changed, row) === null ? { ...row, key: row.typed } : row))
    const wished = next.flatMap(({ id: row, key, value: typed }) => {
      const was = before.get(row) ?? null
      return key === null ? [] : [{ was, key, value: was === null ? typed : pairs[was] }]
    })
    hold(next)
    if (wished.length > 0) store.edit(writePairs(store.get().document.text, field.at, pairs, wished), mark)
    else if (keepsEmpty) set({})
    else remove()
  }

  function move(from: number, to: number): void {
    refocus.current = document.activeElement
    write(moved(rows, from, to))
  }

  return (
    <fieldset className="pairs" aria-describedby={field.help === undefined ? undefined : `${id}-help`}>
      <legend data-optional={field.isRequired !== true || undefined}>{field.label}</legend>
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
