/** Two places of the manifest send the same parameter: no request can be built until one is removed. */
import { isObject } from '../../../std/values/objects.ts'
import type { Hypothesis } from '../case.ts'
import { type Cause, withoutFix } from '../cause.ts'
import { tryInOrder } from '../trial.ts'

const fields = ['request_parameters', 'request_headers', 'request_body_json', 'request_body_data'] as const

export const collision: Cause = async (subject, tools) => {
  const { read, pagination, place } = subject
  if (read.error?.code !== 'request/option-collision' || pagination.kind === 'none') return null
  const says = 'Two pagination methods are mixed: a value is injected, and also written into the request.'
  const evidence = [{ says: read.error.message, pages: [read.pages.length + 1] }]
  const hypotheses = (place === null ? [] : fields).flatMap((field): Hypothesis[] => {
    const written = place?.written.requester[field]
    const names = isObject(written) ? Object.keys(written) : []
    return names
      .filter((name) => read.error?.message.includes(`\`${name}\``) === true)
      .map((name) => ({
        code: 'duplicates/mixed-methods',
        why: `whether ${name} is right when only the paginator sends it`,
        says,
        evidence,
        fix: {
          says: `Remove ${name} from ${field}: the paginator sends it.`,
          edits: [{ path: [...(place?.requester ?? []), field, name] }],
        },
      }))
  })
  const found = await tryInOrder(subject, hypotheses, tools)
  if (found !== null) return found
  const advice = `${subject.whyNot} Let one place send the value.`.trim()
  return withoutFix({ code: 'duplicates/mixed-methods', fault: 'manifest', says, evidence, advice })
}
