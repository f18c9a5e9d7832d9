/** The page that a template is tried against. */
import type { ReadPage } from '../../server/wire/test-read.ts'
import type { ReadState } from '../test-reads/read-state.ts'

export type PageChoiceProps = {
  readonly read: ReadState | null
  readonly page: ReadPage | null
  readonly onChoose: (page: ReadPage) => void
}

export function PageChoice({ read, page, onChoose }: PageChoiceProps) {
  if (read === null || page === null) {
    return <span className="soft">No page was read yet. Run a test to try it against a real answer.</span>
  }
  const manySlices = read.slices.length > 1
  return (
    <label className="page-choice">
      Page
      <select
        className="input"
        value={keyOf(page)}
        onChange={({ target }) => {
          const chosen = read.pages.find((one) => keyOf(one) === target.value)
          if (chosen !== undefined) onChoose(chosen)
        }}
      >
        {read.pages.map((one) => (
          <option key={keyOf(one)} value={keyOf(one)}>
            {manySlices ? `slice ${one.slice + 1}, page ${one.page + 1}` : `page ${one.page + 1}`}
          </option>
        ))}
      </select>
    </label>
  )
}

const keyOf = ({ slice, page }: ReadPage) => `${slice}/${page}`
