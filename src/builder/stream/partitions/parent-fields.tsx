/** A parent: whose records make the parts, and what of each is handed down. */
import { isObject } from '../../../std/values/objects.ts'
import { follow } from '../../../document/follow.ts'
import type { Path } from '../../../document/value-path.ts'
import type { StreamPlace } from '../../editor/use-streams.ts'
import { Field } from '../../fields/field.tsx'
import { NamesField } from '../../fields/names-field.tsx'
import { SwitchField } from '../../fields/switch-field.tsx'
import { TemplateField } from '../../fields/template-field.tsx'
import { Worded } from '../../fields/inline-code.tsx'
import { useField } from '../../session/use-field.ts'
import { useSession, useSessionStore } from '../../session/use-session.tsx'
import { Folded } from '../../fields/folded.tsx'
import { InjectionToggle } from '../components/injection-toggle.tsx'
import { PointersField } from '../transformations/pointers-field.tsx'
import { accessTo, onlyKey, parentOf, setParent, usedAs } from './routers.ts'

export function parentTitle(config: unknown): string {
  const { stream } = isObject(config) ? config : {}
  return isObject(stream) && typeof stream.name === 'string' ? stream.name : 'Parent'
}

export function ParentFields({
  at,
  parents,
  requesterAt,
}: {
  at: Path
  parents: readonly StreamPlace[]
  requesterAt: Path
}) {
  const { value: name } = useField([...at, 'partition_field'])
  const { value: key } = useField([...at, 'parent_key'])
  const parent = useSession(({ document }) => parentOf(document.value, at, parents))
  const isPrimary = useSession(({ document }) => parent !== null && onlyKey(document.value, parent) === key)
  return (
    <>
      <ParentChoice at={at} parents={parents} />
      <div className="side-by-side">
        <TemplateField
          at={[...at, 'parent_key']}
          label="Parent key"
          isRequired
          help={`The field of the parent’s records whose value is handed down.${isPrimary ? ` It is the primary key of ${parent?.name}.` : ''}`}
        />
        <TemplateField
          at={[...at, 'partition_field']}
          label="Partition field"
          isRequired
          help={<Worded text={usedAs(name)} />}
        />
      </div>
      <InjectionToggle
        at={[...at, 'request_option']}
        requesterAt={requesterAt}
        what="parent key"
        usualName={typeof name === 'string' ? name : undefined}
        help={`Or put it into the path: \`/orders/{{ ${accessTo(name)} }}/items\``}
      />
      <Folded title="More of the parent">
        <SwitchField
          at={[...at, 'incremental_dependency']}
          label="Read only parents that changed"
          help="The parent’s own state decides which of its records are requested."
        />
        <PointersField
          at={[...at, 'extra_fields']}
          label="Extra fields"
          help={
            <Worded text="More of the parent’s record for templates, one a line: `{{ stream_slice.extra_fields['name'] }}`" />
          }
        />
        <NamesField
          at={[...at, 'lazy_read_pointer']}
          label="Records inside the parent"
          help="Use it if records of the parent already contain the first page of this stream."
        />
      </Folded>
    </>
  )
}

function ParentChoice({ at, parents }: { at: Path; parents: readonly StreamPlace[] }) {
  const root = useSession(({ document }) => document.value)
  const store = useSessionStore()
  const chosen = parentOf(root, at, parents)
  const { value } = follow(root, [...at, 'stream'])
  const inPlace = isObject(value) && typeof value.name === 'string' ? `${value.name} (written here)` : 'Choose'
  return (
    <Field at={[...at, 'stream']} label="Parent stream" isRequired>
      {(control) => (
        <select
          {...control}
          className="input"
          value={chosen?.name ?? ''}
          onChange={({ target }) => {
            const parent = parents.find(({ name }) => name === target.value)
            if (parent !== undefined) store.edit(setParent(store.get().document.text, at, parent))
          }}
        >
          {chosen === null && <option value="">{inPlace}</option>}
          {parents.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
