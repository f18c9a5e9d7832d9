/** Whether and where a value of a slice goes into the requests. */
import type { Path } from '../../../document/value-path.ts'
import { Toggle } from '../../fields/toggle.tsx'
import { Worded } from '../../fields/inline-code.tsx'
import { OptionFields } from '../pagination/option-fields.tsx'
import { useOptional } from './use-optional.ts'

/**
 * @param what is injected: "start time"
 * @param usualName the name it is sent under, where something says it; only the author knows the names of an API
 */
export function InjectionToggle({
  at,
  what,
  usualName,
  isGet,
  help,
}: {
  at: Path
  what: string
  usualName?: string | undefined
  isGet: boolean
  help?: string
}) {
  const usual = {
    type: 'RequestOption',
    inject_into: 'request_parameter',
    ...(usualName !== undefined && { field_name: usualName }),
  }
  const { isOn, onSwitch } = useOptional(at, usual)
  return (
    <Toggle
      label={`Inject ${what} into outgoing HTTP request`}
      help={isOn || help === undefined ? undefined : <Worded text={help} />}
      isOn={isOn}
      onSwitch={onSwitch}
    >
      <OptionFields at={at} usualName={usualName ?? ''} isGet={isGet} />
    </Toggle>
  )
}
