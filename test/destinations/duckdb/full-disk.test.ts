/** A full disk: what was committed stays, and once there is room the sync resumes. */
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { isWhole } from '../../helpers/proof.ts'
import { temporaryFolder } from './places.ts'

const program = fileURLToPath(new URL('fill-up.js', import.meta.url))
/**
 * With few rows to a commit the log fills the disk, with many the file itself: DuckDB then gives up until it is opened
 * again, and writes what its log has once more. `spare`: megabytes of it that are made free again.
 */
const cases = [
  { kind: 'duckdb', rows: 500, size: 30, spare: 20 },
  ...(isWhole ? [{ kind: 'duckdb', rows: 10_000, size: 180, spare: 90 }] : []),
  { kind: 'parquet', rows: 500, size: 30, spare: 20 },
]

type Failure = { readonly code: string; readonly message: string }

const mayMount = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0

for (const { kind, rows, size, spare } of cases) {
  test(`${kind}: a full disk, ${rows} rows to a commit`, { skip: !mayMount }, async () => {
    await using folder = await temporaryFolder()
    const run = `exec "${process.execPath}" "${program}" ${kind} "${folder.path}" ${rows} ${spare}`
    const script = `mount -t tmpfs -o size=${size}m none "${folder.path}" && ${run}`
    const { stdout } = await promisify(execFile)('unshare', ['-m', 'sh', '-c', script])
    const { failure, failureAgain, pages, pagesFound, rowsFound } = JSON.parse(stdout) as {
      readonly failure: Failure
      readonly failureAgain: Failure
      readonly [count: string]: unknown
    }
    for (const { code, message } of [failure, failureAgain]) {
      assert.equal(code, 'destinations/write-refused')
      assert.match(message, /No space left on device|failed to offload data block/)
    }
    assert.ok(Number(pages) > 0)
    assert.equal(pagesFound, Number(pages) + 1)
    assert.equal(rowsFound, (Number(pages) + 1) * rows)
  })
}
