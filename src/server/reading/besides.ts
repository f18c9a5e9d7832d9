/** Everything that went over the network → which request a page came of, and what was asked besides. */
import type { Redactor } from '../../engine/response/redact.ts'
import { withAssumedHeaders } from '../../engine/response/send.ts'
import type { ShownRequest } from '../wire/exchange.ts'
import type { TestReadEvent } from '../wire/test-read.ts'
import type { Exchange } from './observe.ts'
import { purposeWords, showExchange } from './show-exchange.ts'

export type Besides = {
  readonly observe: (exchange: Exchange) => void
  /** Tells what waits. To be called when the run has moved on: only then it knows the secrets that answers brought. */
  readonly tell: () => void
  /** The request of the page that was just read, as it crossed the wire; null where none did. */
  readonly takeOwn: () => ShownRequest | null
  /** The same for a read that failed: what came last is told, since no page shows it. */
  readonly giveUp: () => void
}

/** Of a body. */
const shownCharacters = 64 * 1024

export function openBesides(redactor: Redactor, began: number, tell: (event: TestReadEvent) => void): Besides {
  let waiting: { readonly title: string; readonly exchange: Exchange }[] = []
  let own: Exchange | null = null

  const leaveOwn = () => {
    if (own !== null) waiting.push({ title: titleOfOwn(own), exchange: own })
    own = null
  }
  const tellWaiting = () => {
    for (const { title, exchange } of waiting) {
      const { request, response } = showExchange(asSent(exchange), redactor, shownCharacters)
      tell({ kind: 'auxiliary', at: exchange.askedAt - began, tookMs: exchange.tookMs, title, request, response })
    }
    waiting = []
  }
  return {
    observe(exchange) {
      if (exchange.purpose !== undefined) waiting.push({ title: purposeWords(exchange.purpose), exchange })
      else {
        // Another try, another hop, or one more of the requests that make a page.
        leaveOwn()
        own = exchange
      }
    },
    tell: tellWaiting,
    takeOwn() {
      const sent = own === null ? null : redactor.request(asSent(own).request)
      own = null
      tellWaiting()
      return sent === null ? null : { method: sent.method, url: sent.url, headers: sent.headers, body: sent.body }
    },
    giveUp() {
      leaveOwn()
      tellWaiting()
    },
  }
}

function asSent(exchange: Exchange): Exchange {
  return { ...exchange, request: withAssumedHeaders(exchange.request) }
}

/** Of a request that asked for a page, and was not the last to do so. */
function titleOfOwn({ answer }: Exchange): string {
  if (answer === null) return 'Page: no answer'
  if (answer.status >= 400) return `Page: refused with ${answer.status}`
  if (answer.status >= 300) return 'Page: redirected'
  return 'Page: one more request'
}
