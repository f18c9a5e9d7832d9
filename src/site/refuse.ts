/** What Node's parser cannot read as a request → the shortest correct refusal, then the end of the connection. */
import type { Duplex } from 'node:stream'
import { type ProblemStatus, phrases, problemText, problemType } from './problem.ts'

/** Time for the refusal to arrive: closing at once would throw it away together with what is still unread. */
const lingerMs = 500

type ParserError = Error & { code?: string; rawPacket?: Buffer }

export function refuseUnreadable(error: ParserError, socket: Duplex): void {
  // Whoever keeps sending after a refusal, or after asking for the end, is told nothing more.
  if (socket.writableEnded || error.code === 'HPE_CLOSED_CONNECTION') return
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      if (isAddressTooLong(error)) refuse(socket, 414, 'The address is too long.')
      else refuse(socket, 431, 'The headers are too long.')
      return
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return refuse(socket, 413, 'The chunk extensions are too long.')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return refuse(socket, 408, 'The request took too long to arrive.')
    default:
      return refuse(socket, 400, 'This is not a request that can be read.')
  }
}

/** CONNECT, to which Node would answer by hanging up. */
export function refuseTunnel(socket: Duplex): void {
  refuse(socket, 405, 'There are no tunnels here.', 'Allow: GET, HEAD, OPTIONS\r\n')
}

/** The parser overflowed before it saw the end of the first line. */
function isAddressTooLong({ rawPacket }: ParserError): boolean {
  if (rawPacket === undefined) return false
  return /^[A-Z]+ \S+$/.test(rawPacket.toString('latin1', 0, 16_384))
}

function refuse(socket: Duplex, status: ProblemStatus, detail: string, fields = ''): void {
  const body = problemText(status, detail)
  // Node has let go of the socket; whoever hangs up now must not end the process.
  socket.on('error', () => {})
  socket.end(
    `HTTP/1.1 ${status} ${phrases[status]}\r\n${fields}Content-Type: ${problemType}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n${body}`,
  )
  socket.resume()
  setTimeout(() => socket.destroy(), lingerMs).unref()
}
