/** Opens a manifest of 1.25 MB of YAML with the built package, first thing in its process and then again; prints both times (ms of processor time). Run by extremes.ts. */
import { loadManifest } from 'turnleaf'
import { stringify } from 'yaml'
import { manyStreamsManifest } from './manifests.ts'

const text = stringify(manyStreamsManifest(830_000))
const times = Array.from({ length: 5 }, () => {
  const started = process.cpuUsage()
  loadManifest(text)
  const { user, system } = process.cpuUsage(started)
  return (user + system) / 1000
})
console.log(JSON.stringify({ characters: text.length, first: times[0], later: Math.min(...times) }))
