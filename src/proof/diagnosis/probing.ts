/** Requests in addition to the read: limited, counted, and each listed with its purpose and result. */
import type { HttpRequest } from '../../engine/request/http-request.ts'
import type { Network } from '../../engine/response/send.ts'
import { ConnectorError } from '../../std/errors.ts'
import { count } from '../../std/text/format-count.ts'
import type { Probe } from '../probe.ts'
import type { SentRequest, DiagnosticRead } from './diagnostic-read.ts'

export type Probing = {
  /** How many requests may still be sent. */
  readonly left: () => number
  /** Refuses what would be one request too many. */
  readonly network: Network
  /** Lists the requests of a read. */
  readonly list: (why: string, read: DiagnosticRead) => void
  readonly probes: () => readonly Probe[]
}

export function openProbing(network: Network, most: number, onProbe: (probe: Probe) => void = () => {}): Probing {
  const probes: Probe[] = []
  let sent = 0
  return {
    left: () => most - sent,
    network: {
      ...network,
      async send(request, signal) {
        // Requests for tokens, parents and lookups are not probes.
        if (request.purpose === undefined && ++sent > most) {
          throw new ConnectorError('response/gave-up', 'No request is left for this diagnosis.')
        }
        return network.send(request, signal)
      },
    },
    list(why, read) {
      for (const asked of read.asked) {
        const probe = probeOf(why, asked, read)
        probes.push(probe)
        onProbe(probe)
      }
    },
    probes: () => probes,
  }
}

function probeOf(why: string, asked: SentRequest, read: DiagnosticRead): Probe {
  const { request, status } = asked
  const sent = sentOutsideUrl(request, read)
  const { method, url } = request
  return { why, method, url, ...(sent !== null && { sent }), status, saw: whatWasSeen(asked, read) }
}

const longestSent = 200

/** Paging values that the URL does not show. */
function sentOutsideUrl({ headers, body }: HttpRequest, { plan: { pagination } }: DiagnosticRead): string | null {
  const placements = pagination.kind === 'none' ? [] : [pagination.token, pagination.size?.placement]
  const named = placements.flatMap((placement) => {
    const name = placement?.into === 'header' ? placement.name : null
    const found = Object.entries(headers).find(([header]) => header.toLowerCase() === name?.toLowerCase())
    return found === undefined ? [] : [`${found[0]}: ${found[1]}`]
  })
  const parts = [...named, ...(body === null ? [] : [body])].map((part) =>
    part.length > longestSent ? `${part.slice(0, longestSent)}…` : part,
  )
  return parts.length === 0 ? null : parts.join(', ')
}

function whatWasSeen({ status, page: number }: SentRequest, { pages, error }: DiagnosticRead): string {
  const page = pages.find((one) => one.number === number)
  if (status !== null && status >= 300 && status < 400) return 'a redirect'
  if (page !== undefined && (status ?? 0) < 400) {
    const first = page.first === null ? '' : `, the first is ${page.first.text}`
    return page.received === 0 ? 'no records' : `${count(page.received, 'record')}${first}`
  }
  if (status === null) return 'no response'
  return status >= 400 ? 'refused' : (error?.message ?? 'nothing that could be read')
}
