/** Work that must not reach the network: whatever tries to connect or to look up a name within it is refused. */
import { AsyncLocalStorage } from 'node:async_hooks'
import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import { ConnectorError } from '../../std/errors.ts'

const offline = new AsyncLocalStorage<(target: string) => void>()
let isWatching = false

/**
 * Our own requests never come here: they are answered without a socket. Custom classes may bring a client of their own,
 * and everything in Node connects by `Socket.connect` and looks up names by `dns`. Other work of the process is not concerned.
 */
export function withoutConnections<T>(work: () => Promise<T>, onAttempt: (target: string) => void): Promise<T> {
  watch()
  return offline.run(onAttempt, work)
}

function refusal(target: string): ConnectorError {
  return new ConnectorError('recordings/network', `A replay must not use the network, and ${target} was requested.`)
}

function watch(): void {
  if (isWatching) return
  isWatching = true
  const connect = Reflect.get(net.Socket.prototype, 'connect') as (...given: unknown[]) => unknown
  net.Socket.prototype.connect = function (this: net.Socket, ...given: unknown[]) {
    const attempted = offline.getStore()
    if (attempted === undefined) return Reflect.apply(connect, this, given) as net.Socket
    const target = targetOf(given)
    attempted(target)
    this.destroy(refusal(target))
    return this
  }
  for (const [holder, isAwaited] of [
    [dns, false],
    [dns.promises, true],
  ] as const) {
    for (const name of ['lookup', 'resolve', 'resolve4', 'resolve6'] as const) refuseLookups(holder, name, isAwaited)
  }
  syncBuiltinESMExports()
}

function refuseLookups(holder: object, name: string, isAwaited: boolean): void {
  const original = Reflect.get(holder, name) as (...given: unknown[]) => unknown
  const guarded = (...given: unknown[]): unknown => {
    const attempted = offline.getStore()
    if (attempted === undefined) return Reflect.apply(original, holder, given)
    const target = String(given[0])
    attempted(target)
    if (isAwaited) return Promise.reject(refusal(target))
    const answer = given.at(-1)
    if (typeof answer === 'function') process.nextTick(() => (answer as (error: Error) => void)(refusal(target)))
    return undefined
  }
  // `util.promisify(dns.lookup)` has a form of its own.
  Object.defineProperties(guarded, Object.getOwnPropertyDescriptors(original))
  Reflect.set(holder, name, guarded)
}

/** `connect({ host, port })`, `connect(port, host)`, or what `net.connect` makes of either. */
function targetOf([first, second]: readonly unknown[]): string {
  const options: unknown = Array.isArray(first) ? (first as unknown[])[0] : first
  if (typeof options === 'object' && options !== null) {
    const { host = 'localhost', port = '', path } = options as { host?: string; port?: number | string; path?: string }
    return path ?? `${host}:${port}`
  }
  return typeof second === 'string' ? `${second}:${String(options)}` : String(options)
}
