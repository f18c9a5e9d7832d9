/** Stop conditions that are inverted, or wrong in another way, and the API each of them is written for. */
import { cursorPaginator } from '../../helpers/manifests.ts'
import { type Method, type Sent, size, total } from './methods.ts'

export type WrongCondition = {
  readonly stop: string
  /** What is wrong with it, for people. */
  readonly fault: string
  readonly method: (hasTotal: boolean) => Method
}

type Envelope = (sent: Sent) => Record<string, unknown>

const flag: Envelope = ({ isLast, page }) => ({ has_more: !isLast, cursor: `c${page + 1}` })
const pageInfo: Envelope = ({ isLast, page }) => ({ pageInfo: { hasNextPage: !isLast }, cursor: `c${page + 1}` })
const isLastFlag: Envelope = ({ isLast, page }) => ({ is_last: isLast, cursor: `c${page + 1}` })
const unknownFlag: Envelope = ({ isLast, page }) => ({ weiter: !isLast, cursor: `c${page + 1}` })
const nullable: Envelope = ({ isLast, page }) => ({ cursor: isLast ? null : `c${page + 1}` })
const nextUrl: Envelope = ({ isLast, page }) => ({
  next_url: isLast ? null : `/items?cursor=c${page + 1}`,
  cursor: `c${page + 1}`,
})

function wrong(stop: string, fault: string, envelope: Envelope): WrongCondition {
  return {
    stop,
    fault,
    method: (hasTotal) => ({
      name: stop,
      parts: { paginator: cursorPaginator('{{ response.cursor }}', stop) },
      pageOf: (query) => Number((query.get('cursor') ?? 'c1').slice(1)),
      list: ['data'],
      answer: (sent) => ({ json: { data: sent.rows, ...envelope(sent), ...(hasTotal && { total }) } }),
    }),
  }
}

export const conditions: readonly WrongCondition[] = [
  wrong('{{ response.has_more }}', 'inverted', flag),
  wrong('{{ response.has_more is true }}', 'inverted', flag),
  wrong('{{ response.has_more == true }}', 'inverted', flag),
  wrong('{{ response.pageInfo.hasNextPage }}', 'inverted', pageInfo),
  wrong("{{ response['pageInfo']['hasNextPage'] != false }}", 'inverted', pageInfo),
  wrong('{{ not response.is_last }}', 'inverted', isLastFlag),
  wrong('{{ response.is_last == false }}', 'inverted', isLastFlag),
  wrong('{{ response.weiter }}', 'inverted, an unknown name', unknownFlag),
  wrong('{{ response.weiter == true }}', 'inverted, an unknown name', unknownFlag),
  wrong('{{ response.cursor is not none }}', 'inverted', nullable),
  wrong('{{ response.cursor }}', 'inverted', nullable),
  wrong('{{ response.next_url }}', 'inverted', nextUrl),
  wrong('{{ true }}', 'always true', nullable),
  wrong(`{{ last_page_size <= ${size} }}`, 'always true', nullable),
  wrong('{{ response.data | length < 50 }}', 'another page size', flag),
  wrong('{{ last_record.id > 5 }}', 'reads records', flag),
  wrong('{{ last_records[-1].id >= 20 }}', 'reads records', nullable),
]
