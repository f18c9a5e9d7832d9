/** A network without sockets: a function answers, after a while if need be. */
import type { Network } from '../../src/engine/response/send.ts'
import { ConnectorError } from '../../src/std/errors.ts'

export type Asked = { readonly path: string; readonly query: URLSearchParams }

export type Answering = Network & {
  readonly asked: string[]
  /** The most requests that were under way at once. */
  most(): number
  underWay(): number
}

/** `pause`: how many turns of the loop a response takes, unless it is cancelled. A status is a response with that status. */
export function answering(
  answer: (asked: Asked) => object | number,
  pause: (asked: Asked) => number = () => 0,
): Answering {
  const asked: string[] = []
  let underWay = 0
  let most = 0
  return {
    asked,
    most: () => most,
    underWay: () => underWay,
    maxBodyBytes: 1e8,
    close: async () => {},
    async send({ url }, signal) {
      const { pathname: path, searchParams: query, search } = new URL(url)
      asked.push(path + search)
      most = Math.max(most, ++underWay)
      try {
        for (let turn = pause({ path, query }); turn > 0 && !signal.aborted; turn--)
          await new Promise((go) => setImmediate(go))
        if (signal.aborted) throw new ConnectorError('response/aborted', 'The request was cancelled.')
        const given = answer({ path, query })
        const [status, body] = typeof given === 'number' ? [given, {}] : [200, given]
        return { status, url, headers: {}, body: Buffer.from(JSON.stringify(body)) }
      } finally {
        underWay--
      }
    },
  }
}
