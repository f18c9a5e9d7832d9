/** Whether and where a paging value goes into the request. */
import type { Path } from '../../../document/value-path.ts'
import { Toggle } from '../../fields/toggle.tsx'
import { Worded } from '../../fields/inline-code.tsx'
import { useRemembered } from '../../session/remembered.ts'
import { useField } from '../../session/use-field.ts'
import { usualOption } from './change-method.ts'
import { type PaginationMethod, methodFacts } from './methods.ts'
import { OptionFields } from './option-fields.tsx'
import type { UsualPlace } from './placement.ts'

/**
 * @param at the option in the manifest
 * @param isGet whether the stream asks with GET
 * @param place where it goes when it is switched on
 */
export function PlacementFields({
  at,
  method,
  what,
  isGet,
  place,
}: {
  at: Path
  method: PaginationMethod
  what: 'size' | 'token'
  isGet: boolean
  place: UsualPlace
}) {
  const { value, set, remove } = useField(at)
  const { recall, remember } = useRemembered()
  const { word, usualName } = methodFacts[method][what]
  const canBePath = what === 'token' && (method === 'CursorPagination' || method === 'CustomPaginationStrategy')
  return (
    <Toggle
      label={`Inject ${word} into outgoing HTTP request`}
      help={value === undefined || value === null ? <Worded text={offHelp(what, word)} /> : undefined}
      isOn={value !== undefined && value !== null}
      onSwitch={(isOn) => {
        if (isOn) return set(recall(at) ?? usualOption(method, what, place))
        remember(value, at)
        remove()
      }}
    >
      <OptionFields at={at} usualName={usualName} isGet={isGet} usualPlace={place} canBePath={canBePath} />
    </Toggle>
  )
}

function offHelp(what: 'size' | 'token', word: string): string {
  return what === 'size'
    ? `The ${word} is only used to recognise the last page.`
    : `Put it into the request yourself, as \`{{ next_page_token['next_page_token'] }}\`.`
}
