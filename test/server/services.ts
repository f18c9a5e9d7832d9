/** What the API works with in tests: a home of its own, removed after. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Services } from '../../src/server/services.ts'
import { openSchedules } from '../../src/server/schedules/schedules.ts'
import { openSyncs } from '../../src/server/syncs/syncs.ts'

export type TestServices = Services & Disposable & AsyncDisposable

export function testServices(changes: Partial<Services> = {}): TestServices {
  const home = mkdtempSync(join(tmpdir(), 'turnleaf-home-'))
  const { egress = 'loopback-allowed', token = null, environment } = changes
  const syncs = openSyncs({ home, egress })
  const schedules = openSchedules({ home, egress, token, environment, watch: syncs.watch })
  const remove = () => rmSync(home, { recursive: true, force: true })
  return {
    home,
    pages: 'dist/builder',
    docsIndex: 'dist/site/search.json',
    lab: null,
    token: null,
    egress: 'loopback-allowed',
    syncs,
    schedules,
    ...changes,
    [Symbol.dispose]: remove,
    // Where syncs were started: their files are open until they end.
    async [Symbol.asyncDispose]() {
      await schedules[Symbol.asyncDispose]()
      await syncs[Symbol.asyncDispose]()
      remove()
    },
  }
}
