/** A request → its body as text, up to a limit. */
import { ConnectorError } from '../std/errors.ts'

/** The largest public manifest has 1.2 MB; a config with keys and a state come on top. */
const maxBytes = 16 * 1024 * 1024

export async function readText(request: Request, limit = maxBytes): Promise<string> {
  const told = Number(request.headers.get('content-length') ?? 0)
  if (told > limit) throw tooLarge(limit)
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  // What a header tells may be wrong, and chunked bodies tell nothing.
  for await (const part of request.body ?? []) {
    bytes += part.byteLength
    if (bytes > limit) throw tooLarge(limit)
    text += decoder.decode(part, { stream: true })
  }
  return text + decoder.decode()
}

function tooLarge(limit: number): ConnectorError {
  return new ConnectorError('server/too-large', `The body is larger than ${Math.floor(limit / 1024 / 1024)} MB.`)
}
