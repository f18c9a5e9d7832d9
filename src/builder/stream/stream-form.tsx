/** One stream, section by section, in the order in which a page is turned. */
import { useLayoutEffect, useRef } from 'react'
import type { StreamPlace } from '../editor/use-streams.ts'
import { ErrorsSection } from './errors/errors-section.tsx'
import { IncrementalSection } from './incremental/incremental-section.tsx'
import { PaginationSection } from './pagination/pagination-section.tsx'
import { PartitionsSection } from './partitions/partitions-section.tsx'
import { RecordsSection } from './records/records-section.tsx'
import { RequestSection } from './request/request-section.tsx'
import { SchemaSection } from './schema/schema-section.tsx'
import { pathOf, pointerOf } from '../../document/value-path.ts'
import { isObject } from '../../std/values/objects.ts'
import { Section } from '../fields/section.tsx'
import { SharedNote } from '../fields/shared-note.tsx'
import { useField } from '../session/use-field.ts'
import { useSessionStore } from '../session/use-session.tsx'
import { noteSpot, showInYaml } from '../yaml/yaml-target.ts'
import { sectionPath } from './form-sections.ts'
import { formPlaceOf } from './form-path.ts'
import '../fields/in-yaml.css'
import { ComponentList } from './components/component-list.tsx'
import { useOptional } from './components/use-optional.ts'
import { transformationKinds, transformationTitle } from './transformations/kinds.ts'
import { lazyPart } from '../lazy-part.tsx'

/** Many streams have none. */
const TransformationFields = lazyPart(
  () => import('./transformations/transformation-fields.tsx').then((loaded) => loaded.TransformationFields),
  { waiting: null },
)

export function StreamForm({ stream: shown }: { stream: StreamPlace }) {
  const { value } = useField(shown.path)
  const { path, note } = formPlaceOf(shown, value)
  const stream = { ...shown, path }
  const store = useSessionStore()
  const form = useRef<HTMLFormElement>(null)
  const at = pointerOf(path)
  // Before the effects of sections: one of them may take the focus as the form opens.
  useLayoutEffect(() => {
    /** A field notes its own place; the rest of a section is the section. */
    const noteSection = ({ target }: FocusEvent) => {
      if (!(target instanceof Element) || target.closest('.field') !== null) return
      const title = target.closest<HTMLElement>('.section')?.dataset.title
      const place = title === undefined ? null : sectionPath(store.get().document.value, pathOf(at), title)
      if (place !== null) noteSpot(place)
    }
    const element = form.current
    element?.addEventListener('focusin', noteSection)
    return () => element?.removeEventListener('focusin', noteSection)
  }, [store, at])
  return (
    <form ref={form} className="stream-form" onSubmit={(event) => event.preventDefault()}>
      {note !== null && (
        <p className="in-yaml" role="note">
          <span>{note}</span>
          <button type="button" className="button small" onClick={() => showInYaml({ path: shown.path })}>
            Show in YAML
          </button>
        </p>
      )}
      <RequestSection stream={stream} />
      <RecordsSection stream={stream} />
      <PaginationSection stream={stream} />
      <PartitionsSection stream={stream} />
      <IncrementalSection stream={stream} />
      <ErrorsSection stream={stream} />
      <TransformationsSection stream={stream} />
      <SchemaSection stream={stream} />
    </form>
  )
}

const offered = Object.entries(transformationKinds).map(([type, { label, start }]) => ({
  label,
  make: () => ({ type, ...start }),
}))

function TransformationsSection({ stream }: { stream: StreamPlace }) {
  const at = [...stream.path, 'transformations']
  const { value, isOn, onSwitch } = useOptional(at, [{ type: 'AddFields', ...transformationKinds.AddFields.start }])
  return (
    <Section
      title="Transformations"
      summary={isOn ? summaryOf(value) : 'records as the API sends them'}
      isOn={isOn}
      onSwitch={onSwitch}
    >
      <SharedNote at={[at]} />
      <ComponentList
        at={at}
        label="Steps"
        help="Each step changes the result of the one before."
        one="transformation"
        offered={offered}
        titleOf={transformationTitle}
      >
        {(item, itemAt) => <TransformationFields at={itemAt} type={isObject(item) ? item.type : undefined} />}
      </ComponentList>
    </Section>
  )
}

function summaryOf(steps: unknown): string {
  return Array.isArray(steps) ? steps.map(transformationTitle).join(' · ') : 'as written in the manifest'
}
