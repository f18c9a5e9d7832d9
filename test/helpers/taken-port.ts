/** A port that another program listens on. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'

/** @param wanted a certain port; if somebody has it, this waits until it is free. */
export async function takenPort(wanted = 0) {
  for (;;) {
    const server = createServer()
    const isOurs = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(wanted, '127.0.0.1', () => resolve(true))
    })
    if (!isOurs) {
      await setTimeout(50)
      continue
    }
    const { port } = server.address() as AddressInfo
    return { port, [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void server.close(() => resolve())) }
  }
}
