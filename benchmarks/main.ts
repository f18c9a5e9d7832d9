/** `npm run bench`: every figure of benchmarks/README.md, in one run. */
import { benchmarkDownloads } from './downloads.ts'
import { benchmarkReading } from './read.ts'
import { benchmarkSite } from './site.ts'
import { benchmarkTemplates } from './templates.ts'

benchmarkTemplates()
await benchmarkReading()
await benchmarkDownloads()
await benchmarkSite()
