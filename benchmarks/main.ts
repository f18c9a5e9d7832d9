/** `npm run bench`: every figure of benchmarks/README.md, in one run; `npm run bench -- read sync` only these. */
import { benchmarkBuilder } from './builder.ts'
import { benchmarkDecoding } from './decoding.ts'
import { benchmarkDownloads } from './downloads.ts'
import { benchmarkExtremes } from './extremes.ts'
import { benchmarkLoop } from './loop.ts'
import { benchmarkLongReads } from './long-reads.ts'
import { benchmarkMemory } from './memory.ts'
import { benchmarkMerges } from './merges.ts'
import { benchmarkProfile } from './profile.ts'
import { benchmarkReading } from './read.ts'
import { benchmarkRecords } from './records.ts'
import { benchmarkSite } from './site.ts'
import { benchmarkSlices } from './slices.ts'
import { benchmarkSync } from './sync.ts'
import { benchmarkTemplates } from './templates.ts'

const benchmarks: Readonly<Record<string, () => unknown>> = {
  templates: benchmarkTemplates,
  memory: benchmarkMemory,
  records: benchmarkRecords,
  read: benchmarkReading,
  long: benchmarkLongReads,
  profile: benchmarkProfile,
  sync: benchmarkSync,
  merges: benchmarkMerges,
  slices: benchmarkSlices,
  decoding: benchmarkDecoding,
  downloads: benchmarkDownloads,
  extremes: benchmarkExtremes,
  loop: benchmarkLoop,
  site: benchmarkSite,
  builder: benchmarkBuilder,
}

const chosen = process.argv.slice(2)
const unknown = chosen.filter((name) => !Object.hasOwn(benchmarks, name))
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}: choose from ${Object.keys(benchmarks).join(', ')}.`)
  process.exit(2)
}
for (const [name, run] of Object.entries(benchmarks)) if (chosen.length === 0 || chosen.includes(name)) await run()
