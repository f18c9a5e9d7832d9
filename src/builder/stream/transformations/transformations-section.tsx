/** What is done to each record before it is handed on, step by step. */
import { isObject } from '../../../std/values/objects.ts'
import type { StreamPlace } from '../../editor/use-streams.ts'
import { Section } from '../../fields/section.tsx'
import { SharedNote } from '../../fields/shared-note.tsx'
import { ComponentList } from '../components/component-list.tsx'
import { useOptional } from '../components/use-optional.ts'
import { transformationKinds, transformationTitle } from './kinds.ts'
import { TransformationFields } from './transformation-fields.tsx'

const offered = Object.entries(transformationKinds).map(([type, { label, start }]) => ({
  label,
  make: () => ({ type, ...start }),
}))

export function TransformationsSection({ stream }: { stream: StreamPlace }) {
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
        help="Each step changes what the one before it left."
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
