/** A JSON value as a tree that folds; every digit and every name as the API gave it. */
import { useEffect, useMemo, useState } from 'react'
import { count } from '../../../std/text/format-count.ts'
import { VirtualTree } from '../tree/virtual-tree.tsx'
import './body.css'
import { findInJson, type JsonRow, jsonRows, leafText, jsonMembers, openedTo } from './json-rows.ts'
import { Marked } from './marked.tsx'
import { noSearch, type Search } from './search-field.tsx'

const rowHeight = 22
/** More of a string than a line has room for. */
const longestText = 400

export type JsonTreeProps = {
  readonly value: unknown
  readonly label: string
  readonly search?: Search
  readonly onFound?: (words: string) => void
}

export function JsonTree({ value, label, search = noSearch, onFound }: JsonTreeProps) {
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set())
  const [active, setActive] = useState<string | null>(null)
  const rows = useMemo(() => jsonRows(value, turned), [value, turned])
  const places = useMemo(() => findInJson(value, search.wanted), [value, search.wanted])
  const nth = places.length === 0 ? 0 : ((search.step % places.length) + places.length) % places.length
  const place = places[nth]

  const [goneTo, setGoneTo] = useState(place)
  if (place !== goneTo) {
    setGoneTo(place)
    if (place !== undefined) {
      setTurned(openedTo(value, turned, place))
      setActive(place)
    }
  }
  useEffect(() => {
    onFound?.(place === undefined ? 'not found' : `${nth + 1} of ${places.length}`)
  }, [place, nth, places.length, onFound])

  function turn({ id }: JsonRow): void {
    const now = new Set(turned)
    if (!now.delete(id)) now.add(id)
    setTurned(now)
  }
  return (
    <VirtualTree
      label={label}
      className="json-tree mono"
      rows={rows}
      active={active}
      onActive={({ id }) => setActive(id)}
      onTurn={turn}
      heightOf={() => rowHeight}
    >
      {(row) => <JsonLine row={row} wanted={search.wanted} />}
    </VirtualTree>
  )
}

function JsonLine({ row, wanted }: { row: JsonRow; wanted: string }) {
  const { level, isOpen, name, kind } = row
  return (
    <div className="json-line" style={{ paddingLeft: 8 + (level - 1) * 16 }}>
      <span className={isOpen === null ? 'turn none' : 'turn'} />
      {name !== null && <span className="name">{name}</span>}
      <span className="value" data-kind={kind}>
        {isOpen === null ? <Marked text={valueText(row)} wanted={wanted} /> : valueText(row)}
      </span>
    </div>
  )
}

function valueText({ kind, value }: JsonRow): string {
  const size = jsonMembers(value).length
  if (kind === 'object') return size === 0 ? '{}' : `{ ${count(size, 'name')} }`
  if (kind === 'array') return size === 0 ? '[]' : `[ ${count(size, 'value')} ]`
  const text = leafText(value)
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text
}
