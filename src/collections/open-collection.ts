/** A folder or the address of a git repository → its connectors, and the files of one that is added. */
import { cp, readdir } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { readTextFile } from '../connector/open-connector.ts'
import { withoutPasswords } from '../destinations/without-passwords.ts'
import { type CheckoutOptions, checkOut, fetchFolder, isRepository } from './checkout.ts'
import { listCollection, type PublicConnector } from './collection.ts'

export type OpenedCollection = {
  readonly connectors: readonly PublicConnector[]
  /** Fetches what belongs to a connector in addition to its manifest. */
  readonly complete: (connector: PublicConnector) => Promise<void>
  /** Without passwords. */
  readonly from: string
}

export async function openCollection(from: string, options: CheckoutOptions): Promise<OpenedCollection> {
  if (!isRepository(from)) return { connectors: await listCollection(from), complete: async () => {}, from }
  const checkout = await checkOut(from, options)
  return {
    connectors: await listCollection(checkout),
    complete: async ({ folder }) => {
      if (folder !== null && folder !== checkout) await fetchFolder(checkout, relative(checkout, folder), from, options)
    },
    from: withoutPasswords(from),
  }
}

export type PublicFiles = { readonly 'manifest.yaml': string; readonly 'README.md': string }

/** The manifest as it is, and where it comes from: its licence stays with it. */
export async function publicFiles(connector: PublicConnector, from: string): Promise<PublicFiles> {
  const { title, licence, documentation, file } = connector
  const lines = [
    `# ${title}`,
    '',
    `The manifest is ${basename(dirname(file))}/${basename(file)} of ${from}.`,
    `Licence: ${licence ?? 'none was found; ask its authors before you use it'}.`,
    ...(documentation === null ? [] : [`Documentation: ${documentation}`]),
    '',
  ]
  return { 'manifest.yaml': await readTextFile(file, 'manifest'), 'README.md': lines.join('\n') }
}

/** Schemas of older manifests are files of their own. Python code is not run, so it is left. */
export async function copySchemas(from: string, to: string): Promise<void> {
  const names = await readdir(from)
  if (names.includes('schemas')) await cp(join(from, 'schemas'), join(to, 'schemas'), { recursive: true })
}
