/** Everything that went over the network → which request a page came of, and what was asked besides. */
import type { Redactor } from '../../engine/secrets/redact.ts'
import type { ShownRequest } from '../wire/exchange.ts'
import type { TestReadEvent } from '../wire/test-read.ts'
import type { Exchange } from '../../engine/response/observe.ts'
import { purposeWords, showExchange, showRequest } from './show-exchange.ts'

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
  let waiting: { readonly title: string; readonly exchange: Exchange; readonly isPage: boolean }[] = []
  let own: Exchange | null = null

  const leaveOwn = (isLast = false) => {
    if (own !== null) waiting.push({ title: titleOfOwn(own, isLast), exchange: own, isPage: true })
    own = null
  }
  const tellWaiting = () => {
    for (const { title, exchange, isPage } of waiting) {
      const { request, response } = showExchange(exchange, redactor, shownCharacters)
      const { askedAt, tookMs } = exchange
      tell({ kind: 'auxiliary', at: askedAt - began, tookMs, title, isPage, request, response })
    }
    waiting = []
  }
  return {
    observe(exchange) {
      if (exchange.purpose !== undefined) {
        waiting.push({ title: purposeWords(exchange.purpose), exchange, isPage: false })
      } else {
        // Another try, another hop, or one more of the requests that make a page.
        leaveOwn()
        own = exchange
      }
    },
    tell: tellWaiting,
    takeOwn() {
      const sent = own === null ? null : showRequest(own, redactor)
      own = null
      tellWaiting()
      return sent
    },
    giveUp() {
      leaveOwn(true)
      tellWaiting()
    },
  }
}

/** Of a request that asked for a page that it did not bring; `isLast` where none after it did. */
function titleOfOwn({ answer }: Exchange, isLast: boolean): string {
  if (answer === null) return 'Page: no answer'
  if (answer.status >= 400) return `Page: refused with ${answer.status}`
  if (answer.status >= 300) return 'Page: redirected'
  return isLast ? 'Page: not understood' : 'Page: one more request'
}
