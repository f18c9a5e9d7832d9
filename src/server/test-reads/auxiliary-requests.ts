/** Every exchange → which request belongs to a page, and which are auxiliary. */
import type { Redactor } from '../../engine/secrets/redact.ts'
import type { ShownRequest } from '../wire/exchange.ts'
import type { TestReadEvent } from '../wire/test-read.ts'
import type { Exchange } from '../../engine/response/observe.ts'
import { purposeWords, showExchange, showRequest } from './show-exchange.ts'

export type AuxiliaryRequests = {
  readonly observe: (exchange: Exchange) => void
  /** The last request is sent again. */
  readonly noteRetry: () => void
  /** Sends waiting events. Called when the run has moved on: only then are secrets in responses known. */
  readonly send: () => void
  /** The request of the page that was just read, as sent; null where none was. */
  readonly takePageRequest: () => ShownRequest | null
  /** After a failure: sends the last exchange too, since no page shows it. */
  readonly sendAll: () => void
}

/** The limit of a shown body. */
const shownCharacters = 64 * 1024

export function openAuxiliaryRequests(
  redactor: Redactor,
  began: number,
  send: (event: TestReadEvent) => void,
): AuxiliaryRequests {
  let waiting: { readonly title: string; readonly exchange: Exchange; readonly isPage: boolean }[] = []
  let ofPage: Exchange | null = null
  let isRetried = false

  const addPageRequest = (isLast = false) => {
    if (ofPage !== null) waiting.push({ title: titleOf(ofPage, isLast, isRetried), exchange: ofPage, isPage: true })
    ofPage = null
  }
  const sendWaiting = () => {
    for (const { title, exchange, isPage } of waiting) {
      const { request, response } = showExchange(exchange, redactor, shownCharacters)
      const { askedAt, tookMs } = exchange
      send({ kind: 'auxiliary', at: askedAt - began, tookMs, title, isPage, request, response })
    }
    waiting = []
  }
  return {
    observe(exchange) {
      if (exchange.purpose !== undefined) {
        waiting.push({ title: purposeWords(exchange.purpose), exchange, isPage: false })
      } else {
        // A retry, a redirect, or another request of the same page.
        addPageRequest()
        ofPage = exchange
        isRetried = false
      }
    },
    noteRetry: () => void (isRetried = true),
    send: sendWaiting,
    takePageRequest() {
      const sent = ofPage === null ? null : showRequest(ofPage, redactor)
      ofPage = null
      sendWaiting()
      return sent
    },
    sendAll() {
      addPageRequest(true)
      sendWaiting()
    },
  }
}

/** For a page request that led to no page; `isLast` where none after it did. */
function titleOf({ response }: Exchange, isLast: boolean, isRetried: boolean): string {
  if (response === null) return 'Page: no response'
  if (response.status >= 400) return `Page: refused with ${response.status}`
  if (response.status >= 300) return 'Page: redirected'
  if (isRetried) return 'Page: failed, tried again'
  return isLast ? 'Page: not understood' : 'Page: additional request'
}
