/** Links to another host, and what that host does with a request: it has the same data, but not the same guests. */
import type { Component } from '../../engine/manifest/manifest.ts'
import { Refusal } from '../exchange.ts'
import type { Hooks } from '../faults/fault.ts'
import type { Asked } from '../mirror/asked.ts'
import { asComponent } from '../mirror/components.ts'
import { linkTo } from '../mirror/open-list.ts'

export type OtherHost = {
  /** The request as the API's own host would have got it. */
  readonly atHome: (asked: Asked) => Asked
  /** Throws a `Refusal` where the other host was asked, and wants credentials. */
  readonly admit: (asked: Asked) => void
  readonly linkTo: (asked: Asked, page: number, hooks: Hooks) => string
}

export function createOtherHost(requester: Component): OtherHost {
  const homes = new Map<string, string>()
  const needsCredentials = (asComponent(requester.authenticator)?.type ?? 'NoAuth') !== 'NoAuth'
  return {
    atHome(asked) {
      const home = homes.get(asked.url.origin)
      return home === undefined ? asked : { ...asked, url: new URL(asked.url.href.replace(asked.url.origin, home)) }
    },
    admit({ url }) {
      // Credentials belong to the host they were given for; a reader that sends them elsewhere is no better off.
      if (needsCredentials && homes.has(url.origin)) throw new Refusal(401, 'This host wants credentials of its own.')
    },
    linkTo(asked, page, { origin: elsewhere }) {
      const link = linkTo(asked, page)
      if (elsewhere === undefined) return link
      const { origin } = asked.url
      const other = elsewhere(origin)
      homes.set(other, origin)
      return link.replace(origin, other)
    },
  }
}
