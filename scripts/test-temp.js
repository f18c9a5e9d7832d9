/** Where tests keep what they throw away: in memory where there is room, since databases wait for disks at every commit. */
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'

const inMemory = '/dev/shm'
const enoughBytes = 4 * 1024 ** 3

/** A folder that goes when this process ends, to be the TMPDIR of others; undefined leaves them that of the system. */
export function temporaryFolder() {
  if (process.env.TMPDIR !== undefined || roomIn(inMemory) < enoughBytes) return undefined
  const folder = mkdtempSync(`${inMemory}/turnleaf-test-`)
  // Database servers run as another user.
  chmodSync(folder, 0o1777)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1))
  return folder
}

function roomIn(folder) {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return 0
  }
}
