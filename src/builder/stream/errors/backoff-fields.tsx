/** How long to wait before a request is tried again. */
import { isObject } from '../../../std/values/objects.ts'
import type { Path } from '../../../document/value-path.ts'
import { ClassField } from '../../fields/class-field.tsx'
import { InYaml } from '../../fields/in-yaml.tsx'
import { TemplateField } from '../../fields/template-field.tsx'
import { TextField } from '../../fields/text-field.tsx'
import type { NewComponent } from '../components/component-list.tsx'
import { DecimalField } from '../../fields/decimal-field.tsx'

const kinds = {
  ConstantBackoffStrategy: { label: 'Constant', start: { backoff_time_in_seconds: 5 } },
  ExponentialBackoffStrategy: { label: 'Exponential', start: { factor: 5 } },
  WaitTimeFromHeader: { label: 'Wait time from header', start: { header: 'Retry-After' } },
  WaitUntilTimeFromHeader: { label: 'Wait until time from header', start: { header: 'X-RateLimit-Reset' } },
  CustomBackoffStrategy: { label: 'Custom', start: { class_name: '' } },
} as const

type Kind = keyof typeof kinds

export const backoffs: readonly NewComponent[] = Object.entries(kinds).map(([type, { label, start }]) => ({
  label,
  make: () => ({ type, ...start }),
}))

export function backoffTitle(strategy: unknown): string {
  const kind = kindOf(strategy)
  return kind === null ? 'Strategy' : kinds[kind].label
}

export function BackoffFields({ at, strategy }: { at: Path; strategy: unknown }) {
  switch (kindOf(strategy)) {
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
      <DecimalField
        at={[...at, 'max_waiting_time_in_seconds']}
        label="Wait at most"
        help="In seconds; if the API asks for more, the read fails."
      />
    </div>
  )
}

function Jitter({ at }: { at: Path }) {
  return (
    <DecimalField
      at={[...at, 'jitter_range_in_seconds']}
      label="Spread"
      help="A random number of seconds up to this is added or subtracted."
    />
  )
}

function kindOf(strategy: unknown): Kind | null {
  const { type } = isObject(strategy) ? strategy : {}
  return typeof type === 'string' && Object.hasOwn(kinds, type) ? (type as Kind) : null
}
