/** `npm run bench`: every figure of benchmarks/README.md, in one run. */
import { benchmarkBuilder } from './builder.ts'
import { benchmarkDecoding } from './decoding.ts'
import { benchmarkDownloads } from './downloads.ts'
import { benchmarkMemory } from './memory.ts'
import { benchmarkReading } from './read.ts'
import { benchmarkSite } from './site.ts'
import { benchmarkSlices } from './slices.ts'
import { benchmarkSync } from './sync.ts'
import { benchmarkTemplates } from './templates.ts'

benchmarkTemplates()
benchmarkMemory()
await benchmarkReading()
await benchmarkSync()
await benchmarkSlices()
await benchmarkDecoding()
await benchmarkDownloads()
await benchmarkSite()
await benchmarkBuilder()
