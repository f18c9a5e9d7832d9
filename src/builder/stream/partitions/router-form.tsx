/** One way to cut a stream, and its fields. */
import { isObject } from '../../../std/values/objects.ts'
import { setIn } from '../../../document/edit.ts'
import type { Path } from '../../../document/value-path.ts'
import type { StreamPlace } from '../../editor/use-streams.ts'
import { ClassField } from '../../fields/class-field.tsx'
import { ChoiceField } from '../../fields/choice-field.tsx'
import { InYaml } from '../../fields/in-yaml.tsx'
import { LinesField } from '../../fields/lines-field.tsx'
import { TemplateField } from '../../fields/template-field.tsx'
import { Worded } from '../../fields/inline-code.tsx'
import { useRemembered } from '../../session/remembered.ts'
import { useField } from '../../session/use-field.ts'
import { useSession, useSessionStore } from '../../session/use-session.tsx'
import { ComponentList } from '../components/component-list.tsx'
import { InjectionToggle } from '../components/injection-toggle.tsx'
import { useParts } from '../use-parts.ts'
import { ParentFields, parentTitle } from './parent-fields.tsx'
import { newParent, newRouter, type RouterKind, routerKindOf, routerLabels, usedAs } from './routers.ts'

const choices = Object.entries(routerLabels).map(([value, label]) => ({ value, label }))

const kindHelp: Record<RouterKind, string> = {
  ListPartitionRouter: 'The stream is read once for each value of a list.',
  SubstreamPartitionRouter: 'The stream is read once for each record of another stream.',
}

export function RouterForm({
  at,
  stream,
  parents,
}: {
  at: Path
  stream: StreamPlace
  parents: readonly StreamPlace[]
}) {
  const { value, writtenAt } = useField(at)
  const { requesterAt } = useParts(stream.path)
  const root = useSession(({ document }) => document.value)
  const store = useSessionStore()
  const { recall, remember } = useRemembered()
  const kind = routerKindOf(value)
  if (kind === null) return <OtherRouter at={at} router={value} />

  function choose(next: RouterKind): void {
    if (kind !== null) remember(value, at, kind)
    const router = recall(at, next) ?? newRouter(root, next, parents)
    store.edit(setIn(store.get().document.text, writtenAt, router))
  }

  return (
    <>
      <ChoiceField
        at={[...at, 'type']}
        label="Partition by"
        isRequired
        choices={choices}
        help={kindHelp[kind]}
        onChoose={(next) => choose(next as RouterKind)}
      />
      {kind === 'ListPartitionRouter' ? (
        <ListFields at={at} requesterAt={requesterAt} />
      ) : (
        <ComponentList
          at={[...at, 'parent_stream_configs']}
          label="Parents"
          one="parent"
          keepsEmpty
          offered={parents.map((parent) => ({ label: parent.name, make: () => newParent(root, parent) }))}
          titleOf={parentTitle}
        >
          {(_, parentAt) => <ParentFields at={parentAt} parents={parents} requesterAt={requesterAt} />}
        </ComponentList>
      )}
      {kind === 'SubstreamPartitionRouter' && parents.length === 0 && (
        <p className="section-help">There is no other stream yet. Add the parent first.</p>
      )}
    </>
  )
}

function ListFields({ at, requesterAt }: { at: Path; requesterAt: Path }) {
  const { value: values } = useField([...at, 'values'])
  const { value: name } = useField([...at, 'cursor_field'])
  return (
    <>
      {typeof values === 'string' ? (
        <TemplateField at={[...at, 'values']} label="Values" isRequired help="A template that gives a list." />
      ) : (
        <LinesField
          at={[...at, 'values']}
          label="Values"
          isRequired
          keepsEmpty
          placeholder={'open\nclosed'}
          help="One per line, in the order in which they are read."
          fault={isEmpty(values) ? 'Enter at least one value: without values nothing is read.' : null}
        />
      )}
      <TemplateField
        at={[...at, 'cursor_field']}
        label="Partition field"
        isRequired
        help={<Worded text={usedAs(name)} />}
      />
      <InjectionToggle
        at={[...at, 'request_option']}
        requesterAt={requesterAt}
        what="value"
        usualName={typeof name === 'string' ? name : undefined}
        help="Put it into the path or a parameter yourself, or let it be injected."
      />
    </>
  )
}

function isEmpty(values: unknown): boolean {
  return values === undefined || values === null || (Array.isArray(values) && values.length === 0)
}

function OtherRouter({ at, router }: { at: Path; router: unknown }) {
  const { type } = isObject(router) ? router : {}
  if (type === 'CustomPartitionRouter') {
    return <ClassField at={at} type="CustomPartitionRouter" />
  }
  return <InYaml what={typeof type === 'string' ? type : 'This partition'} why="has no form." />
}
