/** A stream of a manifest → its first request without pagination, and a network that signs requests based on it. */
import { loadInSteps } from '../../connector/load-manifest.ts'
import { removeResolved } from '../../document/edit-resolved.ts'
import { openDocument } from '../../document/open-document.ts'
import { streamsIn } from '../../document/stream-paths.ts'
import { openCredentials } from '../../engine/auth/open-credentials.ts'
import { openRequester } from '../../engine/opening/open-requester.ts'
import type { OpenStream } from '../../engine/pages/stream.ts'
import type { HttpRequest } from '../../engine/request/http-request.ts'
import type { Egress } from '../../engine/response/egress.ts'
import type { Redactor } from '../../engine/secrets/redact.ts'
import { type Network, openNetwork } from '../../engine/response/send.ts'
import { withSigning } from '../../engine/auth/with-signing.ts'
import type { Run } from '../../engine/run/run.ts'
import { openStreamNamed } from '../../engine/streams-of.ts'
import { ConnectorError } from '../../std/errors.ts'
import { openRunOf } from '../../read.ts'
import { asItIs, type WrapNetwork } from '../wrap-network.ts'

export type StreamToDetect = {
  readonly text: string
  readonly stream: string
  readonly config: Readonly<Record<string, unknown>>
}

export type StreamRequest = {
  /** With marks in place of credentials. */
  readonly request: HttpRequest
  /** Signs for the origin of the request only. Without retries. */
  readonly network: Network
  readonly redactor: Redactor
  readonly close: () => Promise<void>
}

type StreamRequestTools = {
  readonly folder: string | null
  readonly egress: Egress
  readonly wrapNetwork?: WrapNetwork | undefined
  readonly signal: AbortSignal
}

/** May send requests that the first one depends on: for a token, for parent records. */
export async function openStreamRequest(
  { text, stream: name, config }: StreamToDetect,
  { folder, egress, wrapNetwork = asItIs, signal }: StreamRequestTools,
): Promise<StreamRequest> {
  const manifest = await loadInSteps(withoutPaginator(text, name), folder === null ? {} : { folder })
  const network = wrapNetwork(openNetwork({ egress }))
  let close = async () => network.close()
  let redactor: Redactor | undefined
  try {
    const opened = await openRunOf(manifest, { config, network, concurrency: 1 })
    close = async () => {
      await opened.close()
      await network.close()
    }
    redactor = opened.run.redactor
    const stream = await openStreamNamed(opened.run, name, { signal })
    const request = await firstRequest(stream, signal)
    return { request, network: signingFor(request, opened.run, stream), redactor: opened.run.redactor, close }
  } catch (error) {
    await close()
    throw redactor === undefined ? error : redactor.error(error)
  }
}

/** The pagination is what will be detected. */
function withoutPaginator(text: string, name: string): string {
  const found = streamsIn(openDocument(text).value).find((one) => one.name === name)
  return found === undefined ? text : removeResolved(text, [...found.path, 'retriever', 'paginator'])
}

async function firstRequest(stream: OpenStream, signal: AbortSignal): Promise<HttpRequest> {
  const { plan } = stream
  if (plan.retriever !== null || plan.job !== null) {
    const who = plan.retriever === null ? 'a job of the API' : `the class \`${plan.retriever.className}\``
    throw new ConnectorError('server/invalid-request', `The requests of "${plan.name}" are made by ${who}.`, {
      hint: 'Detect the pagination of a URL instead.',
    })
  }
  for await (const slice of stream.slices({ prefetch: 'off', signal })) {
    const [properties] = (await stream.properties?.chunks(signal)) ?? []
    return stream.build(stream.requestInput(slice, null, properties))
  }
  throw new ConnectorError('server/invalid-request', `There is nothing to request: "${plan.name}" has no slices.`, {
    hint: 'Test its parent streams.',
  })
}

function signingFor({ url: home }: HttpRequest, run: Run, { plan }: OpenStream): Network {
  const { network, trustedOrigins: trusted, redactor, report } = run
  const credentials = openCredentials(run, plan.requester, openRequester)
  const send = withSigning(network.send, { credentials, trusted, redactor, report })
  return { ...network, send: (probe, signal) => send({ ...probe, home }, signal) }
}
