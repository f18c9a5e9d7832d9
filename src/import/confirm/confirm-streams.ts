/**
 * Proposed pagination + the API itself → confirmed, corrected or "cannot tell", with evidence. One stream after the other, one
 * request at a time, within a limit for all of them together.
 */
import { type Network, openNetwork } from '../../engine/response/send.ts'
import type { Config } from '../../engine/plan/plan.ts'
import { withFirstOnly } from '../../from-request/first-request.ts'
import { isSamePaginator } from '../../from-request/same-paginator.ts'
import { detect, detectionLimits } from '../../proof/detection/detect.ts'
import type { Candidate, Detection } from '../../proof/detection/detection.ts'
import { ConnectorError } from '../../std/errors.ts'
import { connectorOf, type ImportedConnector, type OpenedDescription, type ReportedStream } from '../import-api.ts'
import type { PagingProposal } from '../pagination/propose.ts'
import { type ImportedStream, withoutNames } from '../streams/import-stream.ts'
import { signedRequest } from './signed-request.ts'

export type ConfirmOptions = {
  readonly config: Config
  /** Of all streams together. */
  readonly maxRequests: number
  readonly signal?: AbortSignal
  readonly onStream?: (name: string) => void
  /** Milliseconds between two requests of detection. */
  readonly spacing?: number
}

const ofOneStream = 12
/** Fewer show nothing: the first page, the second, one to compare. */
const leastRequests = 4

type Status = ReportedStream['pagination']['status']
type Outcome = { readonly stream: ImportedStream; readonly status: Status; readonly evidence: readonly string[] }

export async function confirmStreams(
  opened: OpenedDescription,
  chosen: readonly ImportedStream[],
  proposed: ImportedConnector,
  options: ConfirmOptions,
): Promise<ImportedConnector> {
  const { config, maxRequests, signal = new AbortController().signal, onStream = () => {} } = options
  const network = openNetwork({ limits: detectionLimits })
  let left = maxRequests
  const counted: Network = {
    ...network,
    send: async (request, stopping) => {
      if (left <= 0) throw new ConnectorError('response/gave-up', 'The limit on requests is used up.')
      left--
      return network.send(request, stopping)
    },
  }
  const outcomes: Outcome[] = []
  try {
    for (const stream of chosen) {
      if (left < leastRequests) {
        outcomes.push({ stream, status: 'not-asked', evidence: ['the limit on requests is used up'] })
        continue
      }
      onStream(stream.name)
      const asked = { manifest: proposed.manifest, stream: stream.name, config, network: counted, signal }
      outcomes.push(await confirmStream(stream, asked, () => Math.min(ofOneStream, left), options.spacing))
    }
  } finally {
    await network.close()
  }
  const { manifest, report } = connectorOf(
    opened,
    outcomes.map(({ stream }) => stream),
  )
  const streams = report.streams.map((one, index) => {
    const { status = 'not-asked', evidence = [] } = outcomes[index] ?? {}
    return { ...one, pagination: { ...one.pagination, status, evidence } }
  })
  return { manifest, report: { ...report, streams } }
}

async function confirmStream(
  stream: ImportedStream,
  asked: Parameters<typeof signedRequest>[0],
  mayAsk: () => number,
  spacing: number | undefined,
): Promise<Outcome> {
  try {
    const request = await signedRequest(asked)
    if (request === null) return cannotTell(stream, 'its parent has no records to ask for')
    const { network, signal } = asked
    const detection = await detect(request, {
      network,
      signal,
      maxRequests: Math.max(1, mayAsk()),
      ...(spacing !== undefined && { spacing }),
    })
    return judged(stream, detection)
  } catch (error) {
    if (!(error instanceof ConnectorError) || asked.signal.aborted) throw error
    return cannotTell(stream, error.message)
  }
}

function cannotTell(stream: ImportedStream, why: string): Outcome {
  const { says, because } = stream.paging
  const pagingNote = `Pagination not confirmed: ${says} (${because}). Asked, without an answer: ${why}`
  return { stream: { ...stream, pagingNote }, status: 'cannot-tell', evidence: [why] }
}

function judged(stream: ImportedStream, { answer, says, candidates, recordPath }: Detection): Outcome {
  const { paging } = stream
  const isSameList = recordPath === null || recordPath.join('\0') === stream.recordPath.join('\0')
  if (answer === 'not-paginated') {
    if (paging.method === 'none' && isSameList) return settled(stream, 'confirmed', says, [says])
    // Few records show nothing about many: what the description proposes stays.
    if (paging.method !== 'none')
      return cannotTell(withPath(stream, recordPath), `${says} The proposal stays: there may be more records one day.`)
    return settled(withPath(stream, recordPath), 'corrected', says, [says])
  }
  const [candidate] = candidates
  if (answer === 'cannot-tell' || candidate === undefined || candidate.paginator === null)
    return cannotTell(withPath(stream, recordPath), says)
  const evidence = [candidate.says, ...candidate.evidence]
  if (candidate.template !== undefined && candidate.template.into !== 'request_parameter')
    return cannotTell(stream, `${candidate.says}. \`npx turnleaf detect --write\` writes a manifest for it.`)
  const status = isSameList && isSamePaging(paging, candidate) ? 'confirmed' : 'corrected'
  return settled(withPath(withCandidate(stream, candidate), recordPath), status, candidate.says, evidence)
}

function settled(
  stream: ImportedStream,
  status: 'confirmed' | 'corrected',
  says: string,
  evidence: readonly string[],
): Outcome {
  const note = status === 'confirmed' ? 'confirmed' : 'corrected'
  return { stream: { ...stream, pagingNote: `Pagination ${note} by asking the API: ${says}` }, status, evidence }
}

function withPath(stream: ImportedStream, path: readonly string[] | null): ImportedStream {
  return path === null ? stream : { ...stream, recordPath: path }
}

/** The same method, with the token in the same place; a better page size is no correction. */
function isSamePaging({ method, paginator }: PagingProposal, candidate: Candidate): boolean {
  return method === candidate.method && isSamePaginator(paginator, candidate.paginator)
}

function withCandidate(stream: ImportedStream, candidate: Candidate): ImportedStream {
  const { facts, template, paginator, firstOnly = [] } = candidate
  const placed = [facts.token, facts.size].filter((one) => one !== null)
  const isFree = (into: string) => (pair: readonly [string, string]) =>
    !placed.some((one) => one.into === into && one.name.toLowerCase() === pair[0].toLowerCase()) &&
    pair[0] !== stream.paging.templated?.[0]
  const templated = template?.into === 'request_parameter' ? [[template.name, template.text] as const] : []
  return {
    ...stream,
    query: [...withFirstOnly(stream.query.filter(isFree('request_parameter')), firstOnly), ...templated],
    headers: stream.headers.filter(isFree('header')),
    body: withoutNames(
      stream.body,
      placed.flatMap(({ into, name }) => (into === 'body_json' || into === 'body_data' ? [name] : [])),
    ),
    paging: {
      ...stream.paging,
      method: candidate.method,
      says: candidate.says,
      because: 'the API was asked',
      paginator,
      templated: templated[0] ?? null,
    },
  }
}
