/** What a record looks like: fields and their types, from which destinations make columns. */
import { isObject } from '../../../std/values/objects.ts'
import type { StreamPlace } from '../../editor/use-streams.ts'
import { InYaml } from '../../fields/in-yaml.tsx'
import { JsonField } from '../../fields/json-field.tsx'
import { Section } from '../../fields/section.tsx'
import { SharedNote } from '../../fields/shared-note.tsx'
import { anyFieldSchema } from '../../../document/stream-paths.ts'
import { useField } from '../../session/use-field.ts'
import { usesSchema } from '../../test-reads/outcome/uses-schema.ts'
import { useReading } from '../../test-reads/read-store.ts'
import { useOptional } from '../components/use-optional.ts'
import './schema-section.css'

export function SchemaSection({ stream }: { stream: StreamPlace }) {
  const at = [...stream.path, 'schema_loader']
  const { value, isOn, onSwitch } = useOptional(at, anyFieldSchema)
  const { type } = isObject(value) ? value : {}
  return (
    <Section
      title="Schema"
      summary={isOn ? summaryOf(value) : 'none'}
      isOn={isOn}
      onSwitch={onSwitch}
      startsOpen={false}
    >
      <SharedNote at={[at]} />
      {type === 'InlineSchemaLoader' ? (
        <>
          <JsonField
            at={[...at, 'schema']}
            label="JSON Schema"
            keepsEmpty
            help="Destinations create columns from it. Other fields are kept if the schema allows them."
          />
          <FromTest stream={stream} />
        </>
      ) : (
        <InYaml what={loaderWords(value)} why="says what records look like." />
      )}
    </Section>
  )
}

function FromTest({ stream: { name, path } }: { stream: StreamPlace }) {
  const { value, set } = useField([...path, 'schema_loader'])
  const read = useReading()
  const schema = read?.stream === name ? (read.end?.schema ?? null) : null
  const isUsed = schema !== null && usesSchema(value, schema)
  return (
    <div className="from-test">
      <button
        type="button"
        className="button small"
        disabled={schema === null || isUsed}
        onClick={() => set({ type: 'InlineSchemaLoader', schema })}
      >
        Use the schema of the last test
      </button>
      <span>{schema === null ? 'Test the stream first.' : isUsed ? 'It is the same.' : ''}</span>
    </div>
  )
}

function summaryOf(loader: unknown): string {
  const { schema } = isObject(loader) ? loader : {}
  const { properties } = isObject(schema) ? schema : {}
  if (!isObject(properties)) return loaderWords(loader)
  const count = Object.keys(properties).length
  return count === 1 ? 'one field' : `${count} fields`
}

function loaderWords(loader: unknown): string {
  if (Array.isArray(loader)) return 'A list of loaders'
  const { type } = isObject(loader) ? loader : {}
  return typeof type === 'string' ? type : 'The schema loader'
}
