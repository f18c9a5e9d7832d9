/** The left column: settings and streams. */
import { goTo } from '../place.ts'
import type { StreamPlace } from './use-streams.ts'

export function Outline({ streams, current }: { streams: readonly StreamPlace[]; current: string | null }) {
  return (
    <nav className="outline" aria-label="Streams and settings">
      <ul>
        {streams.map(({ name }) => (
          <li key={name}>
            <button
              type="button"
              className="button quiet"
              aria-current={name === current || undefined}
              onClick={() => goTo({ part: name, view: 'form' })}
            >
              {name}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  )
}
