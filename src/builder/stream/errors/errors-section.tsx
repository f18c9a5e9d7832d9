/** What failed responses mean: fail, ignore, or ask again, and how long to wait before. */
import { isObject } from '../../../std/values/objects.ts'
import type { Path } from '../../../document/value-path.ts'
import type { StreamPlace } from '../../editor/use-streams.ts'
import { ClassField } from '../../fields/class-field.tsx'
import { InYaml } from '../../fields/in-yaml.tsx'
import { NumberTemplateField } from '../../fields/number-template-field.tsx'
import { Section } from '../../fields/section.tsx'
import { SharedNote } from '../../fields/shared-note.tsx'
import { lazyPart } from '../../lazy-part.tsx'
import { ComponentList } from '../components/component-list.tsx'
import { useOptional } from '../components/use-optional.ts'
import { otherKeys } from '../pagination/methods.ts'
import { useParts } from '../use-parts.ts'
import { backoffs, backoffTitle } from './backoff-kinds.ts'
import { FilterFields, filterTitle, newFilter } from './response-filter-fields.tsx'

/** Few streams wait in a way of their own. */
const BackoffFields = lazyPart(() => import('./backoff-fields.tsx').then((loaded) => loaded.BackoffFields), {
  waiting: null,
})

export function ErrorsSection({ stream }: { stream: StreamPlace }) {
  const { requesterAt } = useParts(stream.path)
  const at = [...requesterAt, 'error_handler']
  const { value, isOn, onSwitch } = useOptional(at, { type: 'DefaultErrorHandler' })
  return (
    <Section
      title="Error handling"
      docs="reliability#retries"
      summary={isOn ? summaryOf(value) : '429 and 5xx are tried again, five times; other errors end the read'}
      isOn={isOn}
      onSwitch={onSwitch}
    >
      <SharedNote at={[at, [...at, 'response_filters'], [...at, 'backoff_strategies']]} />
      <HandlerFields at={at} handler={value} />
    </Section>
  )
}

function HandlerFields({ at, handler }: { at: Path; handler: unknown }) {
  const { type = 'DefaultErrorHandler' } = isObject(handler) ? handler : {}
  if (type === 'CompositeErrorHandler') {
    return (
      <ComponentList
        at={[...at, 'error_handlers']}
        label="Handlers"
        help="Tried in order until one accepts, ignores or retries."
        one="handler"
        keepsEmpty
        offered={[{ label: 'Handler', make: () => ({ type: 'DefaultErrorHandler', response_filters: [newFilter()] }) }]}
        titleOf={handlerTitle}
      >
        {(item, itemAt) => <HandlerFields at={itemAt} handler={item} />}
      </ComponentList>
    )
  }
  if (type === 'CustomErrorHandler') {
    return <ClassField at={at} type="CustomErrorHandler" />
  }
  if (type !== 'DefaultErrorHandler') return <InYaml what="The error handler" />
  const odd = otherKeys(handler, ['response_filters', 'max_retries', 'backoff_strategies'])
  return (
    <>
      <ComponentList
        at={[...at, 'response_filters']}
        label="Response filters"
        help="The first filter that matches decides. If none does, 429 and 5xx are retried, and other errors end the read."
        one="filter"
        offered={[{ label: 'Filter', make: newFilter }]}
        titleOf={filterTitle}
      >
        {(item, itemAt) => <FilterFields at={itemAt} filter={item} />}
      </ComponentList>
      <NumberTemplateField
        at={[...at, 'max_retries']}
        label="Max retries"
        fallback={5}
        min={0}
        help="How often a request is retried before the read fails."
      />
      <ComponentList
        at={[...at, 'backoff_strategies']}
        label="Backoff strategies"
        help="The first strategy that returns a wait is used. If none does: Retry-After, or longer each time."
        one="strategy"
        offered={backoffs}
        titleOf={backoffTitle}
      >
        {(item, itemAt) => <BackoffFields at={itemAt} strategy={item} />}
      </ComponentList>
      {odd.length > 0 && <InYaml what={odd.join(', ')} why="is set in the manifest too." />}
    </>
  )
}

function handlerTitle(handler: unknown): string {
  const { type, response_filters: filters } = isObject(handler) ? handler : {}
  const [first] = Array.isArray(filters) ? (filters as unknown[]) : []
  if (type === 'CustomErrorHandler') return 'A class of this connector'
  return first === undefined ? 'Handler' : filterTitle(first)
}

function summaryOf(handler: unknown): string {
  const { response_filters: filters, type } = isObject(handler) ? handler : {}
  if (type === 'DefaultErrorHandler' && filters === undefined) return 'no filter'
  if (!Array.isArray(filters)) return typeof type === 'string' ? type : 'as written in the manifest'
  return filters.map(filterTitle).join(' · ')
}
