/** Says where the records are, where the field path misses them: one object around a list was read, or nothing at all. */
import { useRef } from 'react'
import { count } from '../../../std/text/format-count.ts'
import { isObject } from '../../../std/values/objects.ts'
import { useStreams } from '../../editor/use-streams.ts'
import { namesIn, textOfNames } from '../../fields/name-path.ts'
import { Icon } from '../../icons.tsx'
import { useKeptFocus } from '../../keys/use-kept-focus.ts'
import { useField } from '../../session/use-field.ts'
import { useSession } from '../../session/use-session.tsx'
import { useCaptured } from '../../stream/records/use-captured.ts'
import type { ReadState } from '../read-state.ts'
import { type FoundPath, recordPathIn } from './record-path-in.ts'
import './outcome.css'

/** @param onUsed called when the path was written */
export function RecordPathNote({ read, onUsed }: { read: ReadState; onUsed: () => void }) {
  const stream = useStreams().find(({ name }) => name === read.stream)
  const isCurrent = useSession(({ text }) => text === read.text)
  if (stream === undefined || !isCurrent || read.isForPicking) return null
  return <Note read={read} at={[...stream.path, 'retriever', 'record_selector', 'extractor']} onUsed={onUsed} />
}

type NoteProps = { readonly read: ReadState; readonly at: readonly (string | number)[]; readonly onUsed: () => void }

function Note({ read, at, onUsed }: NoteProps) {
  const { value: extractor } = useField(at)
  const { value: written, set } = useField([...at, 'field_path'])
  const captured = useCaptured(read.stream)
  const { type, record_expander: expander } = isObject(extractor) ? extractor : {}
  const names = namesIn(written)
  if (captured === null || names === null || type !== 'DpathExtractor' || expander !== undefined) return null
  const found = recordPathIn(
    captured.body,
    names,
    read.pages.map(({ received }) => received),
  )
  if (found === null) return null
  return (
    <PathOffer
      found={found}
      onUse={() => {
        set([...found.path])
        onUsed()
      }}
    />
  )
}

function PathOffer({ found, onUse }: { found: FoundPath; onUse: () => void }) {
  const note = useRef<HTMLDivElement>(null)
  useKeptFocus(note)
  const path = textOfNames(found.path)
  return (
    <div ref={note} className="verdict-bar" data-verdict="unproven" role="note">
      <Icon name="warning" />
      <p>
        <b>Field path:</b>{' '}
        {found.isEnvelope ? 'the one record read is the object around a list.' : 'nothing is there in the response.'}{' '}
        {count(found.length, 'record')} {found.length === 1 ? 'is' : 'are'} at <code>{path}</code>.
      </p>
      <button type="button" className="button small" onClick={onUse}>
        Use {path}
      </button>
    </div>
  )
}
