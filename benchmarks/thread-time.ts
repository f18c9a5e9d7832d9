import { existsSync, readFileSync } from 'node:fs'

/** Processor time of the main thread (ms), where the system counts it per thread; otherwise the time that passed, in which others may have run. */
export function threadMs(): number {
  const file = `/proc/self/task/${process.pid}/schedstat`
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split(' ')[0]) / 1e6 : performance.now()
}
