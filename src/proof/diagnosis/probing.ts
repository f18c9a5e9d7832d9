/** Requests beside the walk: few, counted, each listed with what it was for and what it saw. */
import type { HttpRequest } from '../../engine/request/http-request.ts'
import type { Network } from '../../engine/response/send.ts'
import { ConnectorError } from '../../std/errors.ts'
import { count } from '../../std/text/format-count.ts'
import type { Probe } from '../probe.ts'
import type { Asked, Walk } from './walk.ts'

export type Probing = {
  /** How many requests may still be sent. */
  readonly left: () => number
  /** Refuses what would be one request too many. */
  readonly network: Network
  /** Lists what a reading asked. */
  readonly list: (why: string, walk: Walk) => void
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
        // Tokens, parents and lookups are asked for once, and not to find something out.
        if (request.purpose === undefined && ++sent > most) {
          throw new ConnectorError('response/gave-up', 'No request is left for this diagnosis.')
        }
        return network.send(request, signal)
      },
    },
    list(why, walk) {
      for (const asked of walk.asked) {
        const probe = probeOf(why, asked, walk)
        probes.push(probe)
        onProbe(probe)
      }
    },
    probes: () => probes,
  }
}

function probeOf(why: string, asked: Asked, walk: Walk): Probe {
  const { request, status } = asked
  const sent = sentBeside(request, walk)
  const { method, url } = request
  return { why, method, url, ...(sent !== null && { sent }), status, saw: whatWasSeen(asked, walk) }
}

const longestSent = 200

/** What of paging the address does not show. */
function sentBeside({ headers, body }: HttpRequest, { plan: { pagination } }: Walk): string | null {
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

function whatWasSeen({ status, page: number }: Asked, { pages, error }: Walk): string {
  const page = pages.find((one) => one.number === number)
  if (status !== null && status >= 300 && status < 400) return 'a redirect'
  if (page !== undefined && (status ?? 0) < 400) {
    const first = page.first === null ? '' : `, the first is ${page.first.text}`
    return page.received === 0 ? 'no records' : `${count(page.received, 'record')}${first}`
  }
  if (status === null) return 'no answer'
  return status >= 400 ? 'refused' : (error?.message ?? 'nothing that could be read')
}
