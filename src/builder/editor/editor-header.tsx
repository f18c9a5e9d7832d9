/** The connector's name, the two views of it, and what can be done with it. */
import { goTo, type View } from '../place.ts'

export function EditorHeader({ name, view }: { name: string; view: View }) {
  return (
    <header className="editor-header">
      <button type="button" className="button quiet" onClick={() => goTo({ connector: null, part: null })}>
        Connectors
      </button>
      <h1>{name}</h1>
      <div className="views" role="group" aria-label="View">
        {(['form', 'yaml'] as const).map((one) => (
          <button
            key={one}
            type="button"
            className="button small"
            aria-pressed={view === one}
            onClick={() => goTo({ view: one })}
          >
            {one === 'form' ? 'Form' : 'YAML'}
          </button>
        ))}
      </div>
    </header>
  )
}
