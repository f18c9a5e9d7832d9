/** Two places of the manifest send the same value: no request can be built until one is removed. */
import type { Path } from '../../../document/value-path.ts'
import { isObject } from '../../../std/values/objects.ts'
import type { Hypothesis } from '../case.ts'
import { type Cause, withoutFix } from '../cause.ts'
import type { DiagnosticRead } from '../diagnostic-read.ts'
import type { ManifestPlace } from '../manifest-place.ts'
import { tryInOrder } from '../trial.ts'

export const collision: Cause = async (subject, tools) => {
  const { read, pagination, place } = subject
  if (read.error?.code !== 'request/option-collision' || pagination.kind === 'none') return null
  const says = 'Two pagination methods are mixed: a value is injected, and also written into the request.'
  const evidence = [{ says: read.error.message, pages: [read.pages.length + 1] }]
  const fixed = place === null ? [] : fixedValues(place, read.error.message)
  const whole = fixed.length === 0 ? [] : [withoutThem(fixed, { says, evidence })]
  // The records may be searched at the wrong place as well, which shows only once requests are sent.
  const partial = whole.map((one) => ({ ...one, isPartial: true, isShownBy: isSent }))
  const found = await tryInOrder(subject, [...whole, ...partial], tools)
  if (found !== null) return found
  const advice = `${subject.whyNot} Let one place send the value.`.trim()
  return withoutFix({ code: 'duplicates/mixed-methods', fault: 'manifest', says, evidence, advice })
}

function isSent({ error }: DiagnosticRead): boolean {
  return error?.code !== 'request/option-collision'
}

function withoutThem(fixed: readonly FixedValue[], said: Pick<Hypothesis, 'says' | 'evidence'>): Hypothesis {
  const names = fixed.map(({ name }) => name).join(' and ')
  return {
    ...said,
    code: 'duplicates/mixed-methods',
    why: `whether the read is right when only the paginator sends ${names}`,
    fix: {
      says: fixed.map(({ name, field }) => `Remove ${name} from ${field}: the paginator sends it.`).join(' '),
      edits: fixed.map(({ path }) => ({ path })),
    },
  }
}

type FixedValue = { readonly name: string; readonly field: string; readonly path: Path }

const fields = ['request_parameters', 'request_headers', 'request_body_json', 'request_body_data'] as const

/** The value that the error names, and the others that the paginator injects: the next request would collide with them. */
function fixedValues(place: ManifestPlace, message: string): FixedValue[] {
  const { page_token_option: token, page_size_option: size } = place.written.paginator
  const injected = [token, size].flatMap(injectedPath)
  const named = /`([^`]+)`/.exec(message)?.[1]
  const wanted = [...(named === undefined ? [] : [[named], named.split('.')]), ...injected]
  const found = fields.flatMap((field) =>
    wanted
      .map((names) => ({ name: names.join('.'), field, path: [...place.requester, field, ...names] }))
      .filter(({ path }) => place.at(path) !== undefined),
  )
  return [...new Map(found.map((one) => [JSON.stringify(one.path), one])).values()]
}

function injectedPath(option: unknown): string[][] {
  if (!isObject(option)) return []
  const { field_name: name, field_path: path } = option
  if (Array.isArray(path)) return [path.map(String)]
  return typeof name === 'string' ? [[name]] : []
}
