/** A connector's folder for an API of the test's own: record it, change it, test it. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { recordConnector, type RecordOptions } from '../../src/recordings/record-connector.ts'
import { type ConnectorTestOptions, type StreamTest, testConnector } from '../../src/recordings/test-connector.ts'
import { tempFolder } from '../cli/shop.ts'

export type Connector = {
  readonly folder: string
  record(options?: RecordOptions): Promise<void>
  test(options?: ConnectorTestOptions): Promise<readonly StreamTest[]>
  /** Replaces text in the manifest; fails where there is none. */
  edit(before: string, after: string): Promise<void>
  /** Every byte that recording wrote, by file. */
  written(): Promise<Map<string, string>>
  [Symbol.asyncDispose](): Promise<void>
}

export async function connectorOf(manifest: object): Promise<Connector> {
  const files = await tempFolder()
  const folder = join(files.folder, 'shop')
  await mkdir(folder)
  const path = join(folder, 'manifest.json')
  await writeFile(path, JSON.stringify(manifest, null, 1))
  return {
    folder,
    async record(options = {}) {
      for (const { error } of await recordConnector(folder, { survey: false, ...options }))
        if (error !== null) throw error
    },
    test: async (options = {}) => (await testConnector(folder, options)).results,
    async edit(before, after) {
      const text = await readFile(path, 'utf8')
      if (!text.includes(before)) throw new Error(`the manifest has no ${before}`)
      await writeFile(path, text.replaceAll(before, after))
    },
    async written() {
      const names = await readdir(join(folder, 'recordings'))
      const texts = names.map(async (name) => [name, await readFile(join(folder, 'recordings', name), 'utf8')] as const)
      return new Map(await Promise.all(texts))
    },
    [Symbol.asyncDispose]: files[Symbol.asyncDispose],
  }
}

/** What a failed test is about: `requests`, `records` … */
export function failures(results: readonly StreamTest[]): string[] {
  return results.flatMap(({ differences }) => differences.map((one) => one.in))
}

export function sentences(results: readonly StreamTest[]): string {
  return results.flatMap(({ differences }) => differences.flatMap(({ says, lines }) => [says, ...lines])).join('\n')
}
