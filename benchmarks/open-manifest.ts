/** Opens a manifest of 1.25 MB of YAML with the built package, again and again in one process; prints the processor times (ms). Run by extremes.ts. */
import { loadManifest } from 'turnleaf'
import { stringify } from 'yaml'
import { manyStreamsManifest } from './manifests.ts'
import { median } from './median.ts'
import { threadMs } from './thread-time.ts'

/** Of the main thread, which the caller waits for, and of all, which also collect garbage and compile. */
export type OpeningTimes = { readonly main: number; readonly all: number }

const text = stringify(manyStreamsManifest(830_000))
const times = Array.from({ length: 15 }, (): OpeningTimes => {
  const [mainStarted, allStarted] = [threadMs(), process.cpuUsage()]
  loadManifest(text)
  const main = threadMs() - mainStarted
  const { user, system } = process.cpuUsage(allStarted)
  return { main, all: (user + system) / 1000 }
})
const last = times.slice(-5)
const later = { main: median(last.map(({ main }) => main)), all: median(last.map(({ all }) => all)) }
console.log(JSON.stringify({ characters: text.length, first: times[0], later }))
