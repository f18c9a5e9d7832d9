/** A program that reads one part of a stream; made to be killed. */
import { loadManifest } from '../../src/connector/load-manifest.ts'
import type { HeldClaim } from '../../src/destinations/destination.ts'
import { readPart } from '../../src/sync/read-part.ts'

export type PartTask = {
  readonly manifest: object
  readonly to: string
  readonly schema: string
  readonly stream: string
  readonly part: number
  readonly lead: HeldClaim
}

/** Each look takes a second, so that each page is committed on its own. */
export function secondsApart(): () => number {
  let now = Date.now()
  return () => (now += 1000)
}

/** Tests count requests and know which one comes next. */
export const oneByOne = { prefetch: 'off', concurrency: 1 } as const

const [, program, task] = process.argv
if (program?.endsWith('part-reader.js') === true && task !== undefined) {
  const { manifest, ...options } = JSON.parse(task) as PartTask
  await readPart(loadManifest(manifest), { ...options, ...oneByOne, now: secondsApart() })
}
