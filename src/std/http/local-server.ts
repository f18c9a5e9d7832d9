/** An HTTP server of Node's: bound to a port, and closed without waiting for its clients. */
import { once } from 'node:events'
import type { Server } from 'node:http'

/** The port; rejects with Node's error, whose `code` is the reason. */
export async function bindServer(server: Server, host: string, port: number): Promise<number> {
  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : port
}

export async function closeAtOnce(server: Server): Promise<void> {
  if (!server.listening) return
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
}
