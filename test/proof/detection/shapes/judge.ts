/** A shape and a detection of it → whether the detection is right, found out by reading with it. */
import type { Detection, DetectionRequest } from '../../../../src/proof/detection/detection.ts'
import { loadManifest, readRecords, stringifyJson } from '../../../../src/index.ts'
import type { ShapeRecord } from './records.ts'
import { type ServedShape, serveShape } from './serve-shape.ts'
import { hasMorePages, type Shape } from './shape.ts'

/** `exact`: right. `missed`: it found less than there is, and says so. `wrong`: who relies on it loses records. */
export type Grade = 'exact' | 'missed' | 'wrong'

export type Judged = {
  readonly shape: Shape
  readonly grade: Grade
  readonly why: string
  /** Sent by detection, as the server counts. */
  readonly requests: number
  readonly detection: Detection | null
  /** Whether detection sent one request twice. */
  readonly isRepeating: boolean
  /** Whether an id that is a whole number is another number in the schema. */
  readonly hasDoubleIds: boolean
}

export type Detect = (request: DetectionRequest) => Promise<Detection>

const mostRequests = 12

export async function judgeDetection(shape: Shape, detect: Detect): Promise<Judged> {
  await using api = await serveShape(shape)
  let detection: Detection
  try {
    detection = await detect(requestOf(shape, api))
  } catch (error) {
    const why = `it throws: ${textOf(error)}`
    const flaws = { isRepeating: false, hasDoubleIds: false }
    return { shape, grade: 'wrong', why, requests: api.asked.length, detection: null, ...flaws }
  }
  const requests = api.asked.length
  const flaws = { isRepeating: repeats(api), hasDoubleIds: hasDoubleIds(shape, detection) }
  const judged = await grade(shape, api, detection, requests)
  return { shape, ...judged, requests, detection, ...flaws }
}

function repeats({ requests }: ServedShape): boolean {
  const sent = requests.map(({ method, path, query, headers, body }) => {
    const paging = Object.entries(headers).filter(([name]) => /page|cursor|limit|offset|token|x-/i.test(name))
    const pairs = [...query].map(([name, value]) => `${name}=${value}`).toSorted()
    return JSON.stringify([method, path, pairs, paging, body])
  })
  return new Set(sent).size < sent.length
}

function hasDoubleIds({ records: { id } }: Shape, { manifest }: Detection): boolean {
  if (manifest === null || id?.kind !== 'integer') return false
  const [stream] = loadManifest(manifest).streams as readonly {
    schema_loader?: { schema?: { properties?: Properties } }
  }[]
  const types = stream?.schema_loader?.schema?.properties?.[id.name]?.type
  return types !== undefined && [types].flat().includes('number')
}

type Properties = Readonly<Record<string, { readonly type?: string | readonly string[] }>>

function requestOf({ method, given, key }: Shape, { url }: ServedShape): DetectionRequest {
  return {
    url,
    method,
    ...(key && { headers: { [key.header]: key.value } }),
    ...(given.json && { json: given.json }),
    ...(given.form && { form: given.form }),
  }
}

type Graded = { readonly grade: Grade; readonly why: string }

async function grade(shape: Shape, api: ServedShape, detection: Detection, requests: number): Promise<Graded> {
  const { answer, manifest, probes } = detection
  const { key } = shape
  if (requests > mostRequests) return { grade: 'wrong', why: `${requests} requests` }
  if (probes.length !== requests) return { grade: 'wrong', why: `lists ${probes.length} of ${requests} requests` }
  if (key !== null && JSON.stringify(detection).includes(secretIn(key.value)))
    return { grade: 'wrong', why: 'shows the key' }
  if (manifest !== null) return gradeRead(shape, api, detection, manifest)
  switch (answer) {
    case 'cannot-tell':
      return isUnknowable(shape) ? { grade: 'exact', why: 'no one can tell' } : { grade: 'missed', why: 'cannot tell' }
    case 'not-paginated':
      return hasMorePages(shape) ? { grade: 'wrong', why: 'it is paginated' } : { grade: 'exact', why: 'one page' }
    case 'paginated':
      return { grade: 'missed', why: 'no manifest' }
  }
}

/** Few records on one page look the same in every API. */
function isUnknowable(shape: Shape): boolean {
  // Neither this engine nor Airbyte's reads records that are no objects.
  if (shape.quirk?.kind === 'bare-values') return true
  return shape.paging === null ? shape.records.count <= 10 : !hasMorePages(shape)
}

async function gradeRead(shape: Shape, api: ServedShape, detection: Detection, manifest: string): Promise<Graded> {
  const before = api.asked.length
  const problem = await problemOfReading(api, manifest, shape)
  if (problem !== null) return { grade: 'wrong', why: problem }
  const asked = api.asked.length - before
  const pages = shape.paging === null ? 1 : Math.ceil(shape.records.count / shape.paging.size.usual)
  if (asked > pages + 1) return { grade: 'missed', why: `${asked} requests for ${pages} pages` }
  if (shape.paging === null && detection.answer === 'paginated') return { grade: 'missed', why: 'it is not paginated' }
  return { grade: 'exact', why: `${api.records.length} records in ${asked} requests` }
}

/** Null when every record came once. */
async function problemOfReading(api: ServedShape, manifest: string, { key }: Shape): Promise<string | null> {
  const missing = new Map<string, number>()
  for (const record of api.records) count(missing, textOfRecord(record), 1)
  let doubled = 0
  try {
    const config = key === null ? {} : configWith(manifest, key.value)
    for await (const record of readRecords(loadManifest(manifest), {
      config,
      prefetch: 'off',
      sleep: async () => {},
    })) {
      const text = textOfRecord(record)
      if ((missing.get(text) ?? 0) === 0) doubled++
      else count(missing, text, -1)
      if (doubled > api.records.length + 100) return 'it reads without end'
    }
  } catch (error) {
    return `the read fails: ${textOf(error)}`
  }
  const lost = [...missing.values()].reduce((sum, one) => sum + one, 0)
  return lost + doubled === 0 ? null : `${lost} of ${api.records.length} lost, ${doubled} doubled or strange`
}

function count(counts: Map<string, number>, text: string, by: number): void {
  counts.set(text, (counts.get(text) ?? 0) + by)
}

/** Of an edge, its node: whether the record is the one or the other is a matter of taste. */
function textOfRecord(record: ShapeRecord): string {
  const isEdge = 'node' in record && 'cursor' in record
  return stringifyJson(isEdge ? record.node : record) ?? ''
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 200) : String(error)
}

/** A manifest asks for what is secret by its spec. */
function configWith(manifest: string, secret: string): Record<string, string> {
  const names = [...manifest.matchAll(/config(?:\[['"]|\.)(\w+)/g)].map(([, name]) => name as string)
  const isBearer = /type: ["']?BearerAuthenticator/.test(manifest)
  return Object.fromEntries(names.map((name) => [name, isBearer ? secretIn(secret) : secret]))
}

function secretIn(value: string): string {
  return value.replace(/^Bearer /, '')
}
