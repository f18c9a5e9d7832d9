/** The schema that the records seen have, and one button that makes it the stream's. */
import type { Path } from '../../../document/value-path.ts'
import { useStreams } from '../../editor/use-streams.ts'
import { useField } from '../../session/use-field.ts'
import { useSession } from '../../session/use-session.tsx'
import { JsonTree } from '../body/json-tree.tsx'
import { CopyButton } from '../copy-button.tsx'
import type { ReadState } from '../read-state.ts'
import './outcome.css'
import { usesSchema } from './uses-schema.ts'

type Schema = Readonly<Record<string, unknown>>

export function SchemaView({ read }: { read: ReadState }) {
  const schema = read.end?.schema ?? null
  const stream = useStreams().find(({ name }) => name === read.stream)
  if (schema === null) return <p className="quiet-words">{whyNone(read)}</p>
  return (
    <section className="schema" aria-label="Inferred schema">
      <header>
        <p>Inferred from the records of this test.</p>
        {stream !== undefined && <UseSchemaButton at={[...stream.path, 'schema_loader']} schema={schema} />}
        <CopyButton label="Copy" text={() => JSON.stringify(schema, null, 2)} />
      </header>
      <JsonTree value={schema} label="Inferred schema" />
    </section>
  )
}

function UseSchemaButton({ at, schema }: { at: Path; schema: Schema }) {
  const { value, set } = useField(at)
  const isReadable = useSession((session) => session.isReadable)
  const isUsed = usesSchema(value, schema)
  return (
    <button
      type="button"
      className="button small"
      disabled={isUsed || !isReadable}
      onClick={() => set({ type: 'InlineSchemaLoader', schema })}
    >
      {isUsed ? 'This is the stream’s schema' : 'Use as the stream’s schema'}
    </button>
  )
}

function whyNone({ status, ending, pages }: ReadState): string {
  if (status === 'reading') return 'The schema is inferred when the test ends.'
  if (pages.length === 0) return 'There are no records to infer a schema from.'
  if (ending === 'cancelled') return 'The schema is inferred at the end of a test, and this one was cancelled before.'
  return 'No schema was inferred.'
}
