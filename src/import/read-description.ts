/** A file, an address or standard input → the text of a description, within limits. */
import { open, stat } from 'node:fs/promises'
import { addAbortSignal } from 'node:stream'
import { withRedirects } from '../engine/response/redirects.ts'
import type { Egress } from '../engine/response/egress.ts'
import { openNetwork } from '../engine/response/send.ts'
import { reasonOf } from '../connector/open-connector.ts'
import { ConnectorError } from '../std/errors.ts'
import { isUrl } from '../std/text/is-url.ts'

export type DescriptionText = {
  readonly text: string
  /** Where it was fetched from, after redirects; null for a file. */
  readonly url: string | null
}

/** The largest of 2,649 public ones has 78 MB and takes some 350 MB of memory. */
const maxDescriptionBytes = 96 * 2 ** 20

const limits = { headersMs: 20_000, totalMs: 60_000, maxBodyBytes: maxDescriptionBytes }

function isAddress(source: string): boolean {
  return /^https?:\/\//i.test(source)
}

export type FetchOptions = {
  /** Which addresses may be requested. */
  readonly egress?: Egress
}

/** For callers that have a text rather than a file. A text that is an address has one line; no description has. */
export async function descriptionFrom(
  source: string,
  signal: AbortSignal,
  options: FetchOptions = {},
): Promise<DescriptionText> {
  const address = source.trim()
  if (!isAddress(address) || address.includes('\n')) return { text: source, url: null }
  return fetchDescription(address, signal, options)
}

export async function readDescription(
  source: string,
  signal: AbortSignal,
  options: FetchOptions = {},
): Promise<DescriptionText> {
  if (source === '-') return { text: await readInput(signal), url: null }
  return isAddress(source)
    ? fetchDescription(source, signal, options)
    : { text: await readFileWithin(source), url: null }
}

async function fetchDescription(
  source: string,
  signal: AbortSignal,
  { egress }: FetchOptions,
): Promise<DescriptionText> {
  if (!isUrl(source)) throw new ConnectorError('import/not-found', 'The address of the description cannot be read.')
  const network = openNetwork({ limits, ...(egress !== undefined && { egress }) })
  try {
    const { username, password, host } = new URL(source)
    if (username !== '' || password !== '')
      throw new ConnectorError(
        'import/not-found',
        'The address holds a password. Download the description, and give the file.',
      )
    const headers = { accept: 'application/json, application/yaml;q=0.9, */*;q=0.5' }
    const request = { method: 'GET', url: source, headers, body: null }
    const response = await withRedirects(network.send)(request, signal)
    if (response.status !== 200)
      throw new ConnectorError('import/not-found', `${host} responds with the status ${response.status}.`)
    return { text: new TextDecoder().decode(response.body), url: response.url }
  } finally {
    await network.close()
  }
}

async function readFileWithin(path: string): Promise<string> {
  try {
    const { size } = await stat(path)
    if (size > maxDescriptionBytes) throw tooLarge()
    // A pipe has no size: it is read until the limit.
    const file = await open(path)
    try {
      const chunks: Buffer[] = []
      for await (const chunk of file.createReadStream()) collect(chunks, chunk as Buffer)
      return Buffer.concat(chunks).toString()
    } finally {
      await file.close().catch(() => undefined)
    }
  } catch (cause) {
    if (cause instanceof ConnectorError) throw cause
    throw new ConnectorError('cli/file', `Cannot read the description ${path}: ${reasonOf(cause)}.`, { cause })
  }
}

async function readInput(signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = []
  const input: AsyncIterable<Buffer> = addAbortSignal(signal, process.stdin)
  for await (const chunk of input) collect(chunks, chunk)
  return Buffer.concat(chunks).toString()
}

function collect(chunks: Buffer[], chunk: Buffer): void {
  chunks.push(chunk)
  const length = chunks.reduce((sum, one) => sum + one.length, 0)
  if (length > maxDescriptionBytes) throw tooLarge()
}

function tooLarge(): ConnectorError {
  return new ConnectorError('import/too-large', `The description has more than ${maxDescriptionBytes / 2 ** 20} MB.`)
}
