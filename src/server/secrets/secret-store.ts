/**
 * One sealed file in TURNLEAF_HOME, created when the user asks for it. The key is in the memory of this process from unlocking to
 * locking; the content is read anew for each use, since other processes may have changed it.
 */
import { randomUUID } from 'node:crypto'
import { chmod, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile } from '../../std/disk/durable.ts'
import { makeFolder } from '../../std/disk/make-folder.ts'
import { ConnectorError, hasCode } from '../../std/errors.ts'
import { parseJson, stringifyJson } from '../../std/json.ts'
import { oneAtATime } from '../../std/one-at-a-time.ts'
import { ifExists, onDisk } from '../connectors/disk-errors.ts'
import { waitForLock } from '../connectors/save-lock.ts'
import type { Keychain } from './keychain.ts'
import {
  type KeyHeader,
  keychainKey,
  newKeychainKey,
  newPassphraseKey,
  openSealed,
  parseSealed,
  passphraseKey,
  seal,
  type Sealed,
  type StoreKey,
} from './sealed-file.ts'

export type StoreStatus = {
  readonly state: 'none' | 'locked' | 'unlocked' | 'damaged'
  /** Null where there is no store, or it cannot be read. */
  readonly key: KeyHeader['kind'] | null
  readonly hasKeychain: boolean
}

export type NewKey = { readonly kind: 'keychain' } | { readonly kind: 'passphrase'; readonly passphrase: string }

export type SecretStore<Content> = {
  readonly status: () => Promise<StoreStatus>
  /** Throws where there is a file already, whatever is in it. */
  readonly create: (key: NewKey) => Promise<void>
  /** @param passphrase for a store that has one. */
  readonly unlock: (passphrase: string | undefined) => Promise<void>
  readonly lock: () => void
  /** Deletes the file and its key. */
  readonly remove: () => Promise<void>
  readonly read: () => Promise<Content>
  /** One change at a time, over all processes, each made to what the one before left. */
  readonly change: (edit: (content: Content) => Content) => Promise<void>
}

export type SecretStoreOptions<Content> = {
  readonly home: string
  /** Null where there is none, or it must not be used. */
  readonly keychain: Keychain | null
  readonly empty: Content
  /** How slow a guess of the passphrase is, as a power of two; for tests. */
  readonly cost?: number
}

/** Guessing is slow, but only for those that are long enough. */
const shortestPassphrase = 8

function storeFolder(home: string): string {
  return join(home, '.test-configs')
}

export function openSecretStore<Content>({
  home,
  keychain,
  empty,
  cost,
}: SecretStoreOptions<Content>): SecretStore<Content> {
  const folder = storeFolder(home)
  const file = join(folder, 'store.json')
  // Each guess takes much memory.
  const inTurn = oneAtATime()
  let held: StoreKey | null = null

  async function sealedFile(): Promise<Sealed> {
    const bytes = await onDisk('The store of test configs cannot be read', () => ifExists(readFile(file)))
    if (bytes === null) throw new ConnectorError('secrets/no-store', 'There is no store of test configs.')
    return parseSealed(bytes)
  }

  /** Another process may have deleted the store and made a new one, with another key. */
  function fits({ header }: Sealed): boolean {
    return held !== null && held.header.check === header.check
  }

  async function opened(): Promise<{ readonly content: Content; readonly key: StoreKey }> {
    const sealed = await sealedFile()
    if (held === null || !fits(sealed)) {
      throw new ConnectorError('secrets/locked', 'The store of test configs is locked.')
    }
    return { content: parseJson(openSealed(sealed, held)).value as Content, key: held }
  }

  async function whileLocked<T>(work: () => Promise<T>): Promise<T> {
    return onDisk('The store of test configs cannot be written', async () => {
      const lock = await waitForLock(join(folder, '.saving'), 'The store of test configs')
      try {
        return await work()
      } finally {
        await lock.release()
      }
    })
  }

  const write = (content: Content, key: StoreKey) =>
    replaceFile(file, seal(stringifyJson(content), key), { mode: 0o600 })

  function keychainOrRefuse(): Keychain {
    if (keychain !== null) return keychain
    throw new ConnectorError('secrets/no-keychain', 'There is no keychain that can be used here.')
  }

  async function newKey(asked: NewKey): Promise<StoreKey> {
    if (asked.kind === 'keychain') {
      const { key, kept } = newKeychainKey(randomUUID())
      if (key.header.kind === 'keychain') await keychainOrRefuse().set(key.header.id, kept)
      return key
    }
    if (asked.passphrase.length < shortestPassphrase) {
      throw new ConnectorError(
        'secrets/short-passphrase',
        `The passphrase has fewer than ${shortestPassphrase} characters.`,
      )
    }
    return newPassphraseKey(asked.passphrase, cost)
  }

  async function keyOf(header: KeyHeader, passphrase: string | undefined): Promise<StoreKey> {
    if (header.kind === 'passphrase') {
      const key = await passphraseKey(header, passphrase ?? '')
      if (key !== null) return key
      throw new ConnectorError('secrets/wrong-passphrase', 'The passphrase is wrong.')
    }
    const kept = await keychainOrRefuse().get(header.id)
    const key = kept === null ? null : keychainKey(header, kept)
    if (key !== null) return key
    throw new ConnectorError('secrets/no-keychain', 'The keychain does not have the key of this store.')
  }

  return {
    async status() {
      const hasKeychain = keychain !== null
      try {
        const sealed = await sealedFile()
        return { state: fits(sealed) ? 'unlocked' : 'locked', key: sealed.header.kind, hasKeychain }
      } catch (error) {
        if (hasCode(error, 'secrets/no-store')) return { state: 'none', key: null, hasKeychain }
        if (hasCode(error, 'secrets/damaged', 'secrets/later-version')) {
          return { state: 'damaged', key: null, hasKeychain }
        }
        throw error
      }
    },
    create: (asked) =>
      inTurn('key', async () => {
        await onDisk('The store of test configs cannot be created', async () => {
          await makeFolder(folder, 0o700)
          await chmod(folder, 0o700)
          await writeFile(join(folder, '.gitignore'), '*\n')
        })
        await whileLocked(async () => {
          if ((await ifExists(readFile(file))) !== null) {
            throw new ConnectorError('secrets/store-exists', 'There is a store of test configs already.')
          }
          const key = await newKey(asked)
          await write(empty, key)
          held = key
        })
      }),
    unlock: (passphrase) =>
      inTurn('key', async () => {
        const sealed = await sealedFile()
        const key = await keyOf(sealed.header, passphrase)
        // Reports damage now rather than at the first test.
        openSealed(sealed, key)
        held = key
      }),
    // Not overwritten with zeros: a change that is being written still needs it.
    lock() {
      held = null
    },
    async remove() {
      const header = await sealedFile().then(
        ({ header: found }) => found,
        (error: unknown) => {
          if (hasCode(error, 'secrets/no-store')) throw error
          return null
        },
      )
      await whileLocked(() => rm(file, { force: true }))
      if (header?.kind === 'keychain') await keychain?.remove(header.id)
      held = null
    },
    read: async () => (await opened()).content,
    change: async (edit) => {
      // Before the lock, which makes a folder.
      await opened()
      await whileLocked(async () => {
        const { content, key } = await opened()
        await write(edit(content), key)
      })
    },
  }
}
