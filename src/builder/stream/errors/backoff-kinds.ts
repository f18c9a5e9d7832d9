/** The strategies that wait before a request is tried again, and what each is when it is added. */
import { isObject } from '../../../std/values/objects.ts'

const kinds = {
  ConstantBackoffStrategy: { label: 'Constant', start: { backoff_time_in_seconds: 5 } },
  ExponentialBackoffStrategy: { label: 'Exponential', start: { factor: 5 } },
  WaitTimeFromHeader: { label: 'Wait time from header', start: { header: 'Retry-After' } },
  WaitUntilTimeFromHeader: { label: 'Wait until time from header', start: { header: 'X-RateLimit-Reset' } },
  WaitTimeFromResponse: {
    label: 'Wait time from response',
    start: { wait_time_in_seconds: '{{ response.retry_after }}' },
  },
  CustomBackoffStrategy: { label: 'Custom', start: { class_name: '' } },
} as const

type Kind = keyof typeof kinds

export const backoffs = Object.entries(kinds).map(([type, { label, start }]) => ({
  label,
  make: () => ({ type, ...start }),
}))

export function backoffTitle(strategy: unknown): string {
  const kind = backoffKind(strategy)
  return kind === null ? 'Strategy' : kinds[kind].label
}

export function backoffKind(strategy: unknown): Kind | null {
  const { type } = isObject(strategy) ? strategy : {}
  return typeof type === 'string' && Object.hasOwn(kinds, type) ? (type as Kind) : null
}
