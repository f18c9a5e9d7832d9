/** The receipt of each slice, the worst first; a thousand of them scroll. */
import { useMemo } from 'react'
import type { WireSliceReceipt } from '../../../server/wire/receipt.ts'
import { columnsOf } from '../records/columns.ts'
import { RowGrid } from '../records/row-grid.tsx'
import type { ReadSlice } from '../read-state.ts'
import { sliceRows } from './slice-rows.ts'

export type SlicesTableProps = { readonly receipts: readonly WireSliceReceipt[]; readonly slices: readonly ReadSlice[] }

export function SlicesTable({ receipts, slices }: SlicesTableProps) {
  const rows = useMemo(() => sliceRows(receipts, slices), [receipts, slices])
  const columns = useMemo(() => columnsOf(rows), [rows])
  if (rows.length === 0) return <p className="quiet-words">No slice was read to its end.</p>
  return (
    <section className="slice-receipts" aria-label="Slices">
      <h3>Slices, the worst first</h3>
      <RowGrid label="Receipts of slices" columns={columns} rowCount={rows.length} rowAt={(index) => rows[index]} />
    </section>
  )
}
