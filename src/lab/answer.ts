/** Request → response, without a socket: finds the dialect, lets it answer, formats errors. */
import { type Dialect, dialects, dialectsOf, findDialect } from './dialects.ts'
import { type LabRequest, type Question, Refusal } from './exchange.ts'
import { hooksOf, misbehaving } from './faults.ts'
import type { Fault, LabResponse } from './faults/fault.ts'
import { indexHtml, indexOf, prefersHtml } from './index-page.ts'
import { writeJson } from './records.ts'
import { oneOf, readWhole } from './parameters.ts'
import { unlockedPath } from './secure.ts'

export const usualRecordCount = 250
export const bodyLimitBytes = 1024 * 1024
const sizeCap = 1_000_000_000
const latencyCapMs = 5000

/** Answers one request. Pure: the same request gets the same response, except for `isFirstTime`. */
export function answerLab(request: LabRequest): LabResponse {
  const response = answerOrRefuse(request)
  response.headers['Content-Length'] = String(Buffer.byteLength(response.body))
  return request.method === 'HEAD' ? { ...response, body: '' } : response
}

function answerOrRefuse(request: LabRequest): LabResponse {
  try {
    return route(request)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { status, message, field, headers } = error
    return jsonResponse(status, { error: { message, field } }, headers)
  }
}

function route(request: LabRequest): LabResponse {
  if (Buffer.byteLength(request.body) > bodyLimitBytes) {
    throw new Refusal(413, `The body is larger than ${bodyLimitBytes} bytes.`, { field: 'body' })
  }
  if (request.path === '/') return answerIndex(request)
  if (request.path === '/health') {
    allow(request, 'GET')
    return jsonResponse(200, { status: 'ok' })
  }
  const { fault, path } = misbehaving(unlockedPath(request))
  const found = findDialect(path)
  if (found === null) throw new Refusal(404, `Nothing at ${path}. There is ${namesOf(dialects)}.`)
  const { dialect } = found
  if (fault !== null && !fault.suits(dialect.traits)) {
    const suiting = namesOf(dialectsOf(fault))
    throw new Refusal(404, `${dialect.path} cannot have the fault ${fault.name}. These can: ${suiting}.`)
  }
  allow(request, dialect.method)
  return answerDialect(request, found, fault)
}

function answerDialect(
  request: LabRequest,
  { dialect, placeholder }: { dialect: Dialect; placeholder: string | undefined },
  fault: Fault | null,
): LabResponse {
  const { path, query, headers, body } = request
  const otherwise = request.size ?? usualRecordCount
  const size = readWhole('size', oneOf(query, 'size'), { least: 0, most: sizeCap, otherwise })
  const latencyMs = readWhole('latency', oneOf(query, 'latency'), { least: 0, otherwise: 0 })
  const dataset = { name: dialect.path, size }
  const hooks = fault === null ? {} : hooksOf(fault, query)
  const origin = hooks.origin?.(originOf(request)) ?? originOf(request)
  const asked = { isFirstTime: () => request.isFirstTime?.(textOf(request)) ?? true }
  const question: Question = { path, origin, query, headers, body, dataset, placeholder, hooks, asked }
  const answer = dialect.answer(question)
  const response = { ...jsonResponse(200, answer.body, answer.headers), delayMs: Math.min(latencyMs, latencyCapMs) }
  return hooks.respond?.(response, answer.page) ?? response
}

function answerIndex(request: LabRequest): LabResponse {
  allow(request, 'GET')
  const origin = originOf(request)
  if (!prefersHtml(request.headers['accept'])) return jsonResponse(200, indexOf(origin), { Vary: 'Accept' })
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
    Vary: 'Accept',
  }
  return { status: 200, headers, body: indexHtml(origin), delayMs: 0 }
}

function allow({ method }: LabRequest, wanted: Dialect['method']): void {
  const allowed = wanted === 'GET' ? ['GET', 'HEAD'] : ['POST']
  if (allowed.includes(method)) return
  throw new Refusal(405, `Use ${wanted}, not ${method}.`, { headers: { Allow: allowed.join(', ') } })
}

/** Links start with the name the client used, so that they also work through a tunnel or a container's port. */
function originOf({ headers }: LabRequest): string {
  const host = headers['host'] ?? ''
  return `http://${/^[\w.:[\]-]+$/.test(host) ? host : '127.0.0.1'}`
}

function namesOf(some: readonly Dialect[]): string {
  return some.map(({ method, path }) => `${method} ${path}`).join(', ')
}

/** Identifies a request. */
function textOf({ method, path, query, headers, body }: LabRequest): string {
  return [method, path, query.toString(), headers['x-offset'], headers['x-limit'], body].join(' ')
}

function jsonResponse(status: number, body: unknown, headers: Record<string, string> = {}): LabResponse {
  const type = { 'Content-Type': 'application/json; charset=utf-8' }
  return { status, headers: { ...type, ...headers }, body: writeJson(body), delayMs: 0 }
}
