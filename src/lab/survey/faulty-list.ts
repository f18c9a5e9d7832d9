/** A retriever of the manifest → an endpoint that serves its list with a fault. */
import type { Component } from '../../engine/manifest/manifest.ts'
import { Refusal } from '../exchange.ts'
import type { Fault } from '../faults/fault.ts'
import { createFirstTimes } from '../first-times.ts'
import { type Answer, type Asked, keyOf } from '../mirror/asked.ts'
import type { Endpoint } from '../mirror/endpoint.ts'
import { type Listing, openList } from '../mirror/open-list.ts'
import { type FaultyPages, openFaultyPages } from './faulty-pages.ts'
import { createOtherHost } from './other-host.ts'
import { pageSizesOf } from './page-sizes.ts'
import { refusedWith } from './respond.ts'

export type Misbehaviour = {
  /** Null for an API without fault. */
  readonly fault: Fault | null
  /** Whether a header of each answer says how many records there are. */
  readonly isCounting: boolean
}

export function faultyList(listing: Listing, misbehaviour: Misbehaviour): Endpoint {
  const list = openList(listing)
  const host = createOtherHost(listing.retriever.requester as Component)
  const isFirstTime = createFirstTimes()
  const given = new Map<string, Answer>()
  const shortfalls: string[] = []
  let opened: FaultyPages | null = null

  /** The first request says which part of the stream is read: the records are made for it. */
  const pagesFor = (asked: Asked): FaultyPages | null => {
    const sizes = opened === null ? pageSizesOf(list, asked) : null
    opened ??= sizes && openFaultyPages(list, sizes, misbehaviour)
    return opened
  }

  const answerTo = (asked: Asked): Answer => {
    const pages = pagesFor(asked)
    if (pages === null) return unspoken('no answer is found after which the manifest goes on')
    const { hooks } = pages
    const place = pages.placeOf(asked)
    const key = keyOf(asked)
    hooks.refuse?.(place.wanted, { isFirstTime: () => isFirstTime(key) })
    const answer = given.get(key) ?? pages.answer(asked, place, (page) => host.linkTo(asked, page, hooks))
    if (answer === null) return unspoken('the API has no way to say that to this manifest')
    given.set(key, answer)
    return answer
  }
  const unspoken = (why: string): Answer => {
    shortfalls.push(why)
    return { body: {} }
  }

  return {
    role: listing.role,
    name: listing.name,
    shortfalls,
    fit: (asked) => list.fit(host.atHome(asked)),
    answer(asked) {
      try {
        host.admit(asked)
        return answerTo(host.atHome(asked))
      } catch (error) {
        if (error instanceof Refusal) return refusedWith(error)
        throw error
      }
    },
  }
}
