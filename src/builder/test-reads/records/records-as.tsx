/** Whether records are shown as a table or as JSON: the same for one page and for all. */
import { Segments } from '../../editor/segments.tsx'

export type RecordsForm = 'table' | 'json'

const forms = [
  { name: 'table', label: 'Table' },
  { name: 'json', label: 'JSON' },
] as const

export function RecordsAs({
  form,
  onForm,
}: {
  readonly form: RecordsForm
  readonly onForm: (form: RecordsForm) => void
}) {
  return <Segments label="Records as" chosen={form} choices={forms} onChoose={onForm} />
}
