/** A way to a server that can be cut: what is behind it is then unreachable for who uses it. */
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export async function proxyTo(url: string) {
  const target = new URL(url)
  const open = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
      one.pipe(other)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const through = new URL(url)
  const { port } = server.address() as AddressInfo
  through.port = String(port)
  const cut = () => {
    server.close()
    for (const socket of open) socket.destroy()
  }
  const mend = async () => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  return { url: through.href, cut, mend, [Symbol.dispose]: cut }
}
