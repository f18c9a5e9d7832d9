/** Whether and where a value of a slice goes into the requests. */
import type { Path } from '../../../document/value-path.ts'
import { Toggle } from '../../fields/toggle.tsx'
import { Worded } from '../../fields/inline-code.tsx'
import { useField } from '../../session/use-field.ts'
import { OptionFields } from '../pagination/option-fields.tsx'
import { optionIn, usualPlaceIn } from '../pagination/placement.ts'
import { useOptional } from './use-optional.ts'

/**
 * @param requesterAt what sends the requests: a body of it that takes names is where the value starts out
 * @param what is injected: "start time"
 * @param usualName the name it is sent under, where something says it; only the author knows the names of an API
 */
export function InjectionToggle({
  at,
  requesterAt,
  what,
  usualName,
  help,
}: {
  at: Path
  requesterAt: Path
  what: string
  usualName?: string | undefined
  help?: string
}) {
  const { value: requester } = useField(requesterAt)
  const { value: method = 'GET' } = useField([...requesterAt, 'http_method'])
  const usualPlace = usualPlaceIn(requester)
  const { isOn, onSwitch } = useOptional(at, optionIn(usualPlace, usualName))
  return (
    <Toggle
      label={`Inject ${what} into outgoing HTTP request`}
      help={isOn || help === undefined ? undefined : <Worded text={help} />}
      isOn={isOn}
      onSwitch={onSwitch}
    >
      <OptionFields at={at} usualName={usualName ?? ''} isGet={method === 'GET'} usualPlace={usualPlace} />
    </Toggle>
  )
}
