/** A response that cannot be read, is too late, or rejects a cursor in the middle of the read. */
import { ConnectorError } from '../../../std/errors.ts'
import type { Case, Hypothesis } from '../case.ts'
import type { Evidence, Finding } from '../diagnosis.ts'
import { type Cause, seen, withoutFix } from '../cause.ts'
import { set } from '../manifest-place.ts'
import { tryInOrder, type TrialTools } from '../trial.ts'
import { count } from '../../../std/text/format-count.ts'

export const unreadableResponse: Cause = async (subject, tools) => {
  const { read } = subject
  if (read.error === null) return null
  const number = read.pages.length + 1
  const evidence: Evidence[] = [{ says: read.error.message, pages: [number] }]
  const said = (code: Finding['code'], says: string, advice: string) =>
    withoutFix({ code, fault: 'api', says, evidence, advice })
  switch (rootOf(read.error).code) {
    case 'response/not-decodable': {
      const decoder = /\b(?:Csv|Xml)Decoder\b/.exec(rootOf(read.error).hint)?.[0]
      if (decoder !== undefined) return otherDecoder(subject, decoder, evidence, tools)
      return / ends in the middle /.test(read.error.message)
        ? said('api/cut-body', `The response of page ${number} ends in the middle.`, cutAdvice)
        : said(
            'api/not-json',
            `The response of page ${number} is not of the kind that the manifest expects.`,
            kindAdvice,
          )
    }
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

/** The hint of the error names it. */
async function otherDecoder(
  subject: Case,
  type: string,
  evidence: readonly Evidence[],
  tools: TrialTools,
): Promise<Finding> {
  const { place, whyNot } = subject
  const format = type === 'CsvDecoder' ? 'CSV' : 'XML'
  const says = `The API sends ${format}, and the manifest reads JSON.`
  const line = `decoder: { type: ${type} }`
  const hypothesis: Hypothesis = {
    code: 'api/not-json',
    why: `whether the response can be read as ${format}`,
    says,
    evidence,
    fix: {
      says: `Read the response as ${format}.`,
      edits: place === null ? [] : set(place.retriever, { decoder: { type } }),
    },
    isPartial: true,
    isShownBy: (after) => after.error === null && (after.pages[0]?.received ?? 0) > 0,
  }
  const found = place === null ? null : await tryInOrder(subject, [hypothesis], tools)
  const advice = `Add \`${line}\` to the retriever, and check \`field_path\`. ${whyNot}`.trimEnd()
  return found ?? withoutFix({ code: 'api/not-json', fault: 'manifest', says, evidence, advice })
}

/** What the last try met, where there were several. */
function rootOf(error: ConnectorError): ConnectorError {
  const { code, cause } = error
  return code === 'response/gave-up' && cause instanceof ConnectorError ? cause : error
}

const cutAdvice = 'Run again; if it happens again, request smaller pages: a server or a proxy cuts long responses.'
const kindAdvice =
  'Open the address in a browser: a login page, an error page or a proxy answers instead of the API. Check `url_base` and the credentials.'
const slowAdvice = 'Request smaller pages, or read smaller slices.'

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
    says: `The API returns a cursor on page ${read.pages.length} and refuses it with ${status} when it is used.`,
    evidence: [
      ...evidence,
      ...(before.length > 0 ? [seen(`Before that it accepted ${count(before.length, 'cursor')}.`, ...before)] : []),
      ...(last === undefined ? [] : [seen(`Page ${last.number} was read, and names a next page.`, last)]),
    ],
    advice:
      'Request larger pages so that the read is shorter, read smaller slices, or use `pagination_reset` to begin again.',
  })
}
