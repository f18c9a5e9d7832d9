/** A response that cannot be read, is too late, or rejects a cursor in the middle of the read. */
import { ConnectorError } from '../../../std/errors.ts'
import type { Case } from '../case.ts'
import type { Evidence, Finding } from '../diagnosis.ts'
import { type Cause, seen, withoutFix } from '../cause.ts'
import { count } from '../../../std/text/format-count.ts'

export const unreadableResponse: Cause = async (subject) => {
  const { read } = subject
  if (read.error === null) return null
  const number = read.pages.length + 1
  const evidence: Evidence[] = [{ says: read.error.message, pages: [number] }]
  const said = (code: Finding['code'], says: string, advice: string) =>
    withoutFix({ code, fault: 'api', says, evidence, advice })
  switch (rootOf(read.error).code) {
    case 'response/not-decodable':
      return / ends in the middle /.test(read.error.message)
        ? said('api/cut-body', `The response of page ${number} ends in the middle.`, cutAdvice)
        : said(
            'api/not-json',
            `The response of page ${number} is not of the kind that the manifest expects.`,
            kindAdvice,
          )
    case 'response/cut-short':
      return said('api/cut-body', `The connection broke in the middle of page ${number}.`, cutAdvice)
    case 'response/timeout':
      return said('api/slow', `Page ${number} did not come in time.`, slowAdvice)
    case 'response/rejected':
      return expiredCursor(subject, evidence)
    default:
      return null
  }
}

/** What the last try met, where there were several. */
function rootOf(error: ConnectorError): ConnectorError {
  const { code, cause } = error
  return code === 'response/gave-up' && cause instanceof ConnectorError ? cause : error
}

const cutAdvice = 'Run again; if it comes again, ask for smaller pages: a server or a proxy ends long responses.'
const kindAdvice =
  'Open the address in a browser: a login page, an error page or a proxy answers in the place of the API. Check `url_base` and the credentials.'
const slowAdvice = 'Ask for smaller pages or smaller slices.'

/** Earlier cursors of the same kind were accepted. */
function expiredCursor({ read, pages, pagination }: Case, evidence: readonly Evidence[]): Finding | null {
  const status = read.refused?.status ?? 0
  const before = pages.filter(({ token }) => token !== null)
  const speaks = /expire|stale|invalid (cursor|token)|no longer|unknown cursor/i.test(read.error?.message ?? '')
  const isGone = [400, 404, 410, 422].includes(status) && (before.length > 0 || speaks)
  if (pagination.kind !== 'cursor' || !isGone || read.pages.length === 0) return null
  const last = pages.at(-1)
  return withoutFix({
    code: 'api/cursor-expired',
    fault: 'api',
    says: `The API hands out a cursor on page ${read.pages.length} and refuses it with ${status} when it is used.`,
    evidence: [
      ...evidence,
      ...(before.length > 0 ? [seen(`Before that it accepted ${count(before.length, 'cursor')}.`, ...before)] : []),
      ...(last === undefined ? [] : [seen(`Page ${last.number} came, and names a next page.`, last)]),
    ],
    advice:
      'Ask for larger pages so that the read is shorter, read smaller slices, or use `pagination_reset` to begin again.',
  })
}
