/** How long to wait before a request is tried again. */
import type { Path } from '../../../document/value-path.ts'
import { ClassField } from '../../fields/class-field.tsx'
import { InYaml } from '../../fields/in-yaml.tsx'
import { TemplateField } from '../../fields/template-field.tsx'
import { TextField } from '../../fields/text-field.tsx'
import { DecimalField } from '../../fields/decimal-field.tsx'
import { backoffKind } from './backoff-kinds.ts'

export function BackoffFields({ at, strategy }: { at: Path; strategy: unknown }) {
  switch (backoffKind(strategy)) {
    case 'ConstantBackoffStrategy':
      return (
        <div className="side-by-side">
          <DecimalField at={[...at, 'backoff_time_in_seconds']} label="Seconds" isRequired help="Before each try." />
          <Jitter at={at} />
        </div>
      )
    case 'ExponentialBackoffStrategy':
      return (
        <div className="side-by-side">
          <DecimalField
            at={[...at, 'factor']}
            label="Factor"
            placeholder="5"
            help="A factor of 5 waits 10, 20, 40 seconds and so on."
          />
          <Jitter at={at} />
        </div>
      )
    case 'WaitTimeFromHeader':
      return <HeaderFields at={at} help="It holds the seconds to wait." />
    case 'WaitUntilTimeFromHeader':
      return (
        <>
          <HeaderFields at={at} help="It holds the time to wait for, in seconds since 1970." />
          <DecimalField at={[...at, 'min_wait']} label="Wait at least" help="In seconds." />
        </>
      )
    case 'WaitTimeFromResponse':
      return (
        <div className="side-by-side">
          <TemplateField
            at={[...at, 'wait_time_in_seconds']}
            label="Seconds"
            isRequired
            placeholder="{{ response.retry_after }}"
            help="A template: may use response, headers and config. What is no number leaves it to the next strategy."
          />
          <LongestWait at={at} />
        </div>
      )
    case 'CustomBackoffStrategy':
      return <ClassField at={at} type="CustomBackoffStrategy" />
    default:
      return <InYaml what="This strategy" />
  }
}

function HeaderFields({ at, help }: { at: Path; help: string }) {
  return (
    <div className="side-by-side">
      <TemplateField at={[...at, 'header']} label="Header" isRequired help={help} />
      <TextField
        at={[...at, 'regex']}
        label="Pattern"
        isCode
        placeholder="(\d+)"
        help="The part of the header that counts."
      />
      <LongestWait at={at} />
    </div>
  )
}

function LongestWait({ at }: { at: Path }) {
  return (
    <DecimalField
      at={[...at, 'max_waiting_time_in_seconds']}
      label="Wait at most"
      help="In seconds; if the API asks for as much or more, the read fails."
    />
  )
}

function Jitter({ at }: { at: Path }) {
  return (
    <DecimalField
      at={[...at, 'jitter_range_in_seconds']}
      label="Spread"
      help="A random time is added: up to twice this many seconds."
    />
  )
}
