/**
 * A config that a read changed, as when an API replaces its refresh token → the config to store: references stay
 * references, and a new secret goes into a file of its own.
 */
import { existsSync } from 'node:fs'
import { chmod, realpath, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Config } from '../engine/plan/plan.ts'
import { replaceFile } from '../std/disk/durable.ts'
import { isList, isObject } from '../std/values/objects.ts'
import {
  asText,
  hasReferences,
  isFileReference,
  isOnlyReferences,
  referencedFile,
  type ValuePath,
} from './references.ts'
import { makeFolder } from '../std/disk/make-folder.ts'

export type ChangedConfig = {
  /** As it is written. */
  readonly written: Config
  /** The same with the values of its references. */
  readonly filled: Config
  readonly changed: Config
  /** Whether a person wrote the new values, which may be references. What an API or a migration puts there is text. */
  readonly mayRefer?: boolean
  /** Which values must not be written into the config itself. */
  readonly isSecret: (value: string) => boolean
  /** Whether a file that a new secret would get is one of others. */
  readonly isTaken?: (reference: string) => boolean
}

/** The config to write, and the files to write before it. */
export type StoredConfig = { readonly config: Config; readonly files: readonly SecretFile[] }

/** `reference` is `file:` and a path. */
export type SecretFile = { readonly reference: string; readonly content: string; readonly field: string }

export function keepReferences(given: ChangedConfig): StoredConfig {
  const { written, filled, changed, isSecret, mayRefer = false, isTaken } = given
  const files: SecretFile[] = []
  const references = referencesByValue(written, filled)

  function store(value: unknown, raw: unknown, before: unknown, path: ValuePath): unknown {
    if (isList(value)) return value.map((item, at) => store(item, inside(raw, at), inside(before, at), [...path, at]))
    if (isObject(value)) {
      const members = Object.entries(value).map(([name, member]) => [
        name,
        store(member, inside(raw, name), inside(before, name), [...path, name]),
      ])
      return Object.fromEntries(members)
    }
    if (Object.is(value, before)) return raw
    if (typeof value !== 'string') return value
    // A migration moves a value: its reference moves with it.
    const moved = references.get(value)
    if (moved !== undefined) return moved
    if (!isFileReference(raw) && !hasReferences(raw) && !isSecret(value)) return mayRefer ? value : asText(value)
    const reference = isFileReference(raw) ? raw : unused(secretReference(path), files, isTaken)
    files.push({ reference, content: value, field: path.join('.') })
    return reference
  }

  return { config: store(changed, written, filled, []) as Config, files }
}

/** A file that exists keeps its permissions; a new one is readable by its owner only. */
export async function writeSecrets(files: readonly SecretFile[], folder: string): Promise<void> {
  for (const { reference, content } of files) {
    const named = referencedFile(reference, folder)
    const path = await realpath(named).catch(() => named)
    await makeFolder(dirname(path), 0o700)
    const before = await stat(path).catch(() => null)
    await replaceFile(path, Buffer.from(`${content}\n`), { mode: before === null ? 0o600 : before.mode & 0o777 })
  }
  if (files.some(({ reference }) => reference.startsWith(`file:${secretsFolder}/`))) {
    await chmod(join(folder, secretsFolder), 0o700)
    await writeFile(join(folder, secretsFolder, '.gitignore'), '*\n')
  }
}

/** Next to the config. Git ignores it. */
const secretsFolder = 'secrets'

export function secretReference(path: ValuePath): string {
  return `file:${secretsFolder}/${path.join('.').replaceAll(/[^\w.-]/g, '_')}`
}

/** Two fields may give the same name for a file. */
export function unused(
  reference: string,
  files: readonly SecretFile[],
  isTaken: (reference: string) => boolean = () => false,
): string {
  const isUsed = isTaken(reference) || files.some((file) => file.reference === reference)
  return isUsed ? unused(`${reference}_`, files, isTaken) : reference
}

/** Two configs in one folder may name their secrets alike. A file that was not there at first is that of the caller. */
export function takenFiles(folder: string): (reference: string) => boolean {
  const known = new Map<string, boolean>()
  return (reference) => {
    const isTaken = known.get(reference) ?? existsSync(referencedFile(reference, folder))
    known.set(reference, isTaken)
    return isTaken
  }
}

function referencesByValue(written: unknown, filled: unknown): Map<string, string> {
  const found = new Map<string, string>()
  const visit = (raw: unknown, value: unknown): void => {
    if (typeof raw === 'string' && typeof value === 'string' && isOnlyReferences(raw)) found.set(value, raw)
    else if (isList(raw) || isObject(raw))
      for (const [name, member] of Object.entries(raw)) visit(member, inside(value, name))
  }
  visit(written, filled)
  return found
}

function inside(value: unknown, name: string | number): unknown {
  if (!(isList(value) || isObject(value)) || !Object.hasOwn(value, name)) return undefined
  return (value as Readonly<Record<string | number, unknown>>)[name]
}
