/** Says that a part of the manifest is used by other streams as well, and makes it this one's own on request. */
import { memo, useDeferredValue } from 'react'
import { detach } from '../../document/edit-resolved.ts'
import { type Path, pointerOf } from '../../document/value-path.ts'
import { useSession, useSessionStore } from '../session/use-session.tsx'
import { listStreamNames, streamsOfUsers, usersSharing } from './shared-streams.ts'
import './in-yaml.css'

/** @param at what the fields below change, and the parts of it that may be written elsewhere */
export function SharedNote({ at }: { at: readonly Path[] }) {
  // Who else uses it is looked for in the whole manifest: in a large one typing would wait for that at every letter.
  const root = useDeferredValue(useSession(({ document }) => document.value))
  return <FoundNote root={root} at={at} />
}

type Looked = { readonly root: unknown; readonly at: readonly Path[] }

const FoundNote = memo(CountedNote, isSameLook)

function isSameLook(before: Looked, after: Looked): boolean {
  return before.root === after.root && before.at.map(pointerOf).join(' ') === after.at.map(pointerOf).join(' ')
}

function CountedNote({ root, at }: Looked) {
  const store = useSessionStore()
  const counted = at.map((path) => ({ path, users: usersSharing(root, path) }))
  const shared = counted.filter(({ users }) => users.length > 1)
  if (shared.length === 0) return null
  const streams = streamsOfUsers(
    root,
    shared.flatMap(({ users }) => users),
  )
  // Where only some of it is shared, which: the path of a request is mostly the stream's own.
  const isOwn = counted.some(({ users }) => users.length === 1)
  const names = isOwn ? shared.flatMap(({ path }) => partWords[String(path.at(-1))] ?? []) : []
  return (
    <p className="in-yaml">
      <span>
        Shared by <b>{streams.length} streams</b> ({listStreamNames(streams)})
        {names.length === 0
          ? ': a change here changes all of them.'
          : `: ${names.join(', ')}. A change to them changes all of these streams.`}
      </span>
      <button
        type="button"
        className="button small"
        onClick={() => store.edit(shared.reduce((text, { path }) => detach(text, path), store.get().document.text))}
      >
        Change only here
      </button>
    </p>
  )
}

/** As the form calls them; what it does not show needs no word. */
const partWords: Readonly<Record<string, string>> = {
  http_method: 'method',
  path: 'path',
  url: 'URL',
  request_parameters: 'query parameters',
  request_headers: 'headers',
  decoder: 'response format',
  download_decoder: 'response format',
  extractor: 'field path',
  record_filter: 'record filter',
}
