/** `npm run bench`: every figure of benchmarks/README.md, in one run. */
import { benchmarkReading } from './read.ts'
import { benchmarkSite } from './site.ts'
import { benchmarkTemplates } from './templates.ts'

benchmarkTemplates()
await benchmarkReading()
await benchmarkSite()
