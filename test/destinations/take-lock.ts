/** Program of its own: waits for a word, takes the lock of a folder, says whether it got it, and keeps it until it is killed. */
import { once } from 'node:events'
import { lockFolder } from '../../src/destinations/folder-lock.ts'

process.stdout.write('ready\n')
await once(process.stdin, 'data')
try {
  await lockFolder(process.argv[2] ?? '', 'jsonl:out')
  process.stdout.write('taken\n')
} catch (error) {
  process.stdout.write(`${(error as { code?: string }).code}\n`)
}
// An open input keeps the process, and with it the lock.
process.stdin.resume()
