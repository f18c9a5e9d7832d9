/** The fields of one pagination method: only those that apply. */
import { isObject } from '../../../std/values/objects.ts'
import type { Path } from '../../../document/value-path.ts'
import { NumberTemplateField } from '../../fields/number-template-field.tsx'
import { SwitchField } from '../../fields/switch-field.tsx'
import { ClassField } from '../../fields/class-field.tsx'
import { Worded } from '../../fields/inline-code.tsx'
import { CursorFields } from './cursor-fields.tsx'
import { type PaginationMethod, methodFacts } from './methods.ts'
import { PlacementFields } from './placement-fields.tsx'
import type { UsualPlace } from './placement.ts'

const classHelp =
  '`source_<name>.<package>.<class_name>`: a class in the connector’s own folder, such as `source_shop/paging.ts`.'

export function MethodFields({
  at,
  method,
  paginator,
  ...placing
}: {
  at: Path
  method: PaginationMethod
  paginator: unknown
  isGet: boolean
  place: UsualPlace
}) {
  const strategyAt = [...at, 'pagination_strategy']
  const { size, token } = methodFacts[method]
  const hasSize = method !== 'CustomPaginationStrategy'
  const sizeField = hasSize && (
    <NumberTemplateField
      at={[...strategyAt, 'page_size']}
      label={size.label}
      isRequired={method !== 'CursorPagination'}
      placeholder="100"
      min={1}
      help={<Worded text={sizeHelp(method)} />}
    />
  )
  return (
    <>
      {method === 'CustomPaginationStrategy' && (
        <ClassField
          at={strategyAt}
          type="CustomPaginationStrategy"
          label="Class Name"
          help={<Worded text={classHelp} />}
        />
      )}
      {method === 'CursorPagination' ? <CursorFields strategyAt={strategyAt} /> : sizeField}
      {method === 'PageIncrement' && (
        <NumberTemplateField
          at={[...strategyAt, 'start_from_page']}
          label="Start From Page"
          fallback={0}
          min={0}
          help="The number that the API gives its first page: 0 or 1."
        />
      )}
      <PlacementFields at={[...at, 'page_token_option']} method={method} what="token" {...placing} />
      {(method === 'OffsetIncrement' || method === 'PageIncrement') && (
        <SwitchField
          at={[...strategyAt, 'inject_on_first_request']}
          label={
            method === 'OffsetIncrement' ? 'Inject Offset on First Request' : 'Inject Page Number on First Request'
          }
          help={`For APIs that need the ${token.word} in every request, including the first.`}
        />
      )}
      {method === 'CursorPagination' && sizeField}
      {(method !== 'CursorPagination' || hasPageSize(paginator)) && (
        <PlacementFields at={[...at, 'page_size_option']} method={method} what="size" {...placing} />
      )}
    </>
  )
}

function sizeHelp(method: PaginationMethod): string {
  const shorter = method === 'CursorPagination' ? '' : ' A page with fewer records is the last.'
  return `Use the largest that the API supports: fewer requests, the same records.${shorter} Or a template: \`{{ config['page_size'] }}\`.`
}

/** Without a size there is nothing to inject; an injection that is there anyway must be visible to be fixed. */
function hasPageSize(paginator: unknown): boolean {
  if (!isObject(paginator)) return false
  const { pagination_strategy: strategy, page_size_option: option } = paginator
  return option !== undefined || (isObject(strategy) && strategy.page_size !== undefined)
}
