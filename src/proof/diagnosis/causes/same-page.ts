/** Every request returns the same page: the page token is not sent, not understood, or always the same. */
import { stringifyJson } from '../../../std/json.ts'
import type { Case } from '../case.ts'
import { type Cause, seen, withoutFix } from '../cause.ts'
import { tryInOrder } from '../trial.ts'
import type { PageSummary } from '../page-summary.ts'
import { tokenExplanations } from './token-explanations.ts'

export const samePage: Cause = async (subject, tools) => {
  const { repeats, pages, pagination, place } = subject
  const [first, second, third] = pages
  if (first === undefined || second === undefined || pagination.kind === 'none') return null
  const later = repeats.pages.slice(1)
  const isSame =
    later.some(({ sameAs }) => sameAs === first) &&
    later.every(({ sameAs, page }) => sameAs === first || (page === pages.at(-1) && page.received === 0))
  // A single row that comes again may be all there is.
  if (!isSame || first.received < 2 || !repeats.areDistinguishable) return null
  // Rows without a name may be alike on every page, and others may have the same keys: only what never ends is wrong then.
  const isLoop = subject.read.error !== null
  if (!isLoop && (first.first === null || !later.some(({ isUnchanged }) => isUnchanged))) return null
  const areEqual = sameRequest(first, second)
  const says = areEqual
    ? 'Every page is requested with the same request, and has the same records.'
    : 'The API returns the same records, whatever the manifest sends to request the next page.'
  const evidence = [
    seen(
      `Pages ${numbers(pages.slice(0, third === undefined ? 2 : 3))} begin with ${first.first?.text ?? 'the same record'} and end with ${first.last?.text ?? 'the same one'}.`,
      first,
      second,
    ),
    ...(areEqual ? [] : [seen(`Page 2 was requested with ${sent(subject, second)}.`, second)]),
  ]
  const hypotheses = place === null ? [] : tokenExplanations(subject, place, first, second.token, { says, evidence })
  const found = await tryInOrder(subject, hypotheses, tools)
  if (found !== null) return found
  // A page that came twice may be a response from a cache; only what the guard ended, or the limit, is without end.
  if (subject.read.error === null && !subject.read.isCut) return null
  return withoutFix({
    code: 'never-stops/same-page',
    // A link of the API that leads nowhere is its own; a value may still be sent under the wrong name.
    fault: pagination.token?.into === 'path' ? 'api' : 'manifest',
    says,
    evidence,
    advice: `${subject.whyNot} Compare how the token is sent with the documentation of the API.`.trim(),
  })
}

function sameRequest({ request: one }: PageSummary, { request: other }: PageSummary): boolean {
  return (
    one.url === other.url && one.body === other.body && JSON.stringify(one.headers) === JSON.stringify(other.headers)
  )
}

function numbers(pages: readonly PageSummary[]): string {
  const all = pages.map(({ number }) => String(number))
  return all.length < 2 ? all.join() : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`
}

function sent({ pagination }: Case, page: PageSummary): string {
  const placement = pagination.kind === 'none' ? null : pagination.token
  const token = page.token?.value ?? ''
  const value = typeof token === 'string' ? token : stringifyJson(token)
  if (placement === null || placement.into === 'path') return page.request.url
  const name = placement.into === 'json' ? placement.path.join('.') : placement.name
  return `${name} = ${value.length > 60 ? `${value.slice(0, 60)}…` : value}`
}
