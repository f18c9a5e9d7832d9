/** The left column, on a phone a menu: settings, and the streams with what is wrong with them. */
import { startTransition, useEffect, useMemo, useRef, useState } from 'react'
import { Icon } from '../icons.tsx'
import { useArrowsIn } from '../keys/use-keys-in.ts'
import { routePath, useRoute } from '../router.ts'
import { followToEdit } from './edit-or-test.ts'
import { useSession, useSessionStore } from '../session/use-session.tsx'
import { useInspection } from '../session/use-inspection.ts'
import { focusRow } from './focus-row.ts'
import { NewStream } from './new-stream.tsx'
import './outline.css'
import { type PageName, type OutlinePart, pageLabels, partOf } from './outline-parts.ts'
import { useCommands } from '../palette/offered.ts'
import { matchingStreams } from './matching-streams.ts'
import { outlineRows } from './outline-rows.ts'
import { canEdit, whyNoEdit } from './stream-edits.ts'
import { StreamFilter } from './stream-filter.tsx'
import { StreamRow } from './stream-row.tsx'
import { pointerOf } from '../../document/value-path.ts'
import type { StreamPlace } from './use-streams.ts'
import { Disclosure, DisclosureContent, DisclosureProvider } from '@ariakit/react'
import type { ManifestProblem } from '../../server/wire/problem.ts'

/** Fewer are seen at a glance. */
const leastFiltered = 8

const settings: readonly PageName[] = ['base-url', 'authentication', 'inputs']

/** More than fit on a screen: the form need not wait for the others. */
const firstRows = 60

/** @param onChosen where the outline is a menu, it closes then. */
export function Outline({
  streams,
  part,
  onChosen,
}: {
  streams: readonly StreamPlace[]
  part: OutlinePart
  onChosen?: () => void
}) {
  const place = useRoute()
  const [isAdding, setAdding] = useState(false)
  const store = useSessionStore()
  const refusal = useSession(whyNoEdit)
  const add = () => canEdit(store) && setAdding(true)
  const outline = useRef<HTMLDivElement>(null)
  useArrowsIn(outline, '.entry, .stream-filter input')
  const problems = useInspection()?.problems
  const [wanted, setWanted] = useState('')
  const isFiltered = streams.length >= leastFiltered && wanted.trim() !== ''
  useCommands(() => [{ id: 'new-stream', group: 'Actions', label: 'New stream', words: 'add create', run: add }])
  const rows = useMemo(() => outlineRows(streams), [streams])
  const found = isFiltered ? new Set(matchingStreams(streams, wanted)) : null
  const shown = found === null ? rows : rows.filter(({ stream }) => found.has(stream))
  const counts = useMemo(() => problemsByPointer(problems), [problems])
  const [isWhole, setWhole] = useState(false)
  useEffect(() => startTransition(() => setWhole(true)), [])
  return (
    <div className="outline" ref={outline}>
      <h2>Settings</h2>
      <ul>
        {settings.map((page) => {
          const target = { ...place, part: partOf(page), view: 'form' } as const
          return (
            <li key={page}>
              <a
                className="entry"
                href={routePath(target)}
                aria-current={(part.kind === 'page' && part.page === page) || undefined}
                onClick={(event) => {
                  followToEdit(event, target)
                  onChosen?.()
                }}
              >
                {pageLabels[page]}
              </a>
            </li>
          )
        })}
      </ul>
      <h2>
        Streams <span className="count">{isFiltered ? `${shown.length} of ${streams.length}` : streams.length}</span>
      </h2>
      {streams.length >= leastFiltered && (
        <StreamFilter wanted={wanted} onWanted={setWanted} found={isFiltered ? shown.length : null} />
      )}
      <ul>
        {(isWhole ? shown : shown.slice(0, firstRows)).map(({ stream, ...row }) => (
          <StreamRow
            key={row.id}
            {...row}
            {...(counts.get(pointerOf(stream.path)) ?? noProblems)}
            connector={place.connector ?? ''}
            name={stream.name}
            isCurrent={part.kind === 'stream' && part.stream.path === stream.path}
            onChosen={onChosen}
          />
        ))}
      </ul>
      {isAdding ? (
        <NewStream
          onEnd={(added) => {
            setAdding(false)
            focusRow(outline.current, added)
            onChosen?.()
          }}
        />
      ) : (
        <button
          type="button"
          className="entry add"
          aria-disabled={refusal !== null || undefined}
          title={refusal ?? undefined}
          onClick={add}
        >
          <Icon name="plus" /> Add a stream
        </button>
      )}
    </div>
  )
}

/** On a phone the outline is a menu that shows the name of what is open. */
export function OutlineMenu({
  streams,
  part,
  label,
}: {
  readonly streams: readonly StreamPlace[]
  readonly part: OutlinePart
  readonly label: string
}) {
  const [isOpen, setOpen] = useState(false)
  const close = () => {
    setOpen(false)
    // Move the focus to what was chosen, below the menu.
    document.getElementById('content')?.focus({ preventScroll: true })
  }
  return (
    <DisclosureProvider open={isOpen} setOpen={setOpen}>
      <Disclosure className="button outline-button">
        <Icon name="list" />
        <span className="text">{label}</span>
        <Icon name="down" />
      </Disclosure>
      <DisclosureContent
        className="outline-menu appears"
        render={<nav aria-label="Settings and streams" />}
        unmountOnHide
        onKeyDown={(event) => {
          if (event.key === 'Escape') setOpen(false)
        }}
      >
        <Outline streams={streams} part={part} onChosen={close} />
      </DisclosureContent>
    </DisclosureProvider>
  )
}

/** How many problems a part of the manifest has. */
type ProblemCount = { readonly errors: number; readonly warnings: number }

const noProblems: ProblemCount = { errors: 0, warnings: 0 }

/** By the pointer of the part: a problem counts for everything that it is in. One pass, however many streams there are. */
function problemsByPointer(problems: readonly ManifestProblem[] | undefined): ReadonlyMap<string, ProblemCount> {
  const counts = new Map<string, ProblemCount>()
  for (const { at, severity } of problems ?? []) {
    for (let end = 0; end !== -1; ) {
      const next = at.pointer.indexOf('/', end + 1)
      const pointer = next === -1 ? at.pointer : at.pointer.slice(0, next)
      const { errors, warnings } = counts.get(pointer) ?? noProblems
      counts.set(pointer, {
        errors: errors + (severity === 'error' ? 1 : 0),
        warnings: warnings + (severity === 'warning' ? 1 : 0),
      })
      end = next
    }
  }
  return counts
}
