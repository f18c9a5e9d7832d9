/** What the API works with in tests: a home of its own, removed after. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Services } from '../../src/server/services.ts'

export type TestServices = Services & Disposable

export function testServices(changes: Partial<Services> = {}): TestServices {
  const home = mkdtempSync(join(tmpdir(), 'turnleaf-home-'))
  return {
    home,
    pages: 'dist/builder',
    lab: null,
    token: null,
    egress: 'loopback-allowed',
    ...changes,
    [Symbol.dispose]: () => rmSync(home, { recursive: true, force: true }),
  }
}
