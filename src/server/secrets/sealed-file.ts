/** Text ↔ a sealed file: AES-256-GCM under a key that is made from a passphrase, or kept elsewhere. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { z } from 'zod'
import { ConnectorError } from '../../std/errors.ts'

/** How the key is had again. It is readable in the file, and sealed with it against changes. */
export type KeyHeader =
  | { readonly kind: 'passphrase'; readonly salt: string; readonly cost: number; readonly check: string }
  | { readonly kind: 'keychain'; readonly id: string; readonly salt: string; readonly check: string }

export type StoreKey = { readonly header: KeyHeader; readonly secret: Buffer }

export type Sealed = { readonly header: KeyHeader; readonly iv: Buffer; readonly tag: Buffer; readonly sealed: Buffer }

const format = 'turnleaf-test-configs'
const formatVersion = 1

/** 128 MB and some tenths of a second for each guess. */
const usualCost = 17
/** A changed file must not use up the memory of the machine: 1 GB. */
const highestCost = 20

const base64 = z.base64()
const fileShape = z.strictObject({
  format: z.literal(format),
  version: z.literal(formatVersion),
  key: z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('passphrase'),
      salt: base64,
      cost: z.number().int().min(10).max(highestCost),
      check: base64,
    }),
    z.strictObject({ kind: z.literal('keychain'), id: z.string().regex(/^[\w-]{1,64}$/), salt: base64, check: base64 }),
  ]),
  iv: base64,
  tag: base64,
  sealed: base64,
})

const stretch = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(scrypt)

/** A key for a new file. */
export async function newPassphraseKey(passphrase: string, cost = usualCost): Promise<StoreKey> {
  const salt = randomBytes(32)
  const { secret, check } = split(await stretched(passphrase, salt, cost), salt)
  return {
    secret,
    header: { kind: 'passphrase', salt: salt.toString('base64'), cost, check: check.toString('base64') },
  }
}

/** A key for a new file, and what the keychain has to keep. */
export function newKeychainKey(id: string): { readonly key: StoreKey; readonly kept: string } {
  const salt = randomBytes(32)
  const kept = randomBytes(32)
  const { secret, check } = split(kept, salt)
  const header = { kind: 'keychain', id, salt: salt.toString('base64'), check: check.toString('base64') } as const
  return { key: { secret, header }, kept: kept.toString('base64') }
}

/** @returns null where the passphrase is not the one of the file. */
export async function passphraseKey(
  header: KeyHeader & { readonly kind: 'passphrase' },
  passphrase: string,
): Promise<StoreKey | null> {
  const salt = Buffer.from(header.salt, 'base64')
  return matching(header, split(await stretched(passphrase, salt, header.cost), salt))
}

/** @returns null where it is the key of another file. */
export function keychainKey(header: KeyHeader & { readonly kind: 'keychain' }, kept: string): StoreKey | null {
  return matching(header, split(Buffer.from(kept, 'base64'), Buffer.from(header.salt, 'base64')))
}

function matching(header: KeyHeader, { secret, check }: Split): StoreKey | null {
  const wanted = Buffer.from(header.check, 'base64')
  return wanted.length === check.length && timingSafeEqual(wanted, check) ? { secret, header } : null
}

async function stretched(passphrase: string, salt: Buffer, cost: number): Promise<Buffer> {
  const [memory, r] = [2 ** cost, 8]
  // Keyboards differ in how they write one letter.
  return stretch(passphrase.normalize('NFKC'), salt, 32, { N: memory, r, p: 1, maxmem: 256 * memory * r })
}

type Split = { readonly secret: Buffer; readonly check: Buffer }

/** The check tells a wrong passphrase from a damaged file, and says nothing about the secret. */
function split(root: Buffer, salt: Buffer): Split {
  const part = (use: string) => Buffer.from(hkdfSync('sha256', root, salt, `turnleaf ${use}`, 32))
  return { secret: part('seal'), check: part('check') }
}

export function seal(text: string, { header, secret }: StoreKey): Buffer {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', secret, iv)
  cipher.setAAD(sealedWith(header))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  const file = {
    format,
    version: formatVersion,
    key: header,
    iv: iv.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
    sealed: sealed.toString('base64'),
  }
  return Buffer.from(`${JSON.stringify(file, null, 2)}\n`)
}

/** Throws where it is no such file, or one of a later Turnleaf. */
export function parseSealed(bytes: Uint8Array): Sealed {
  const value = jsonIn(bytes)
  const { format: named, version } = (value ?? {}) as { format?: unknown; version?: unknown }
  if (named === format && typeof version === 'number' && version > formatVersion) {
    throw new ConnectorError('secrets/later-version', `The store has version ${version} of its format.`)
  }
  const { data } = fileShape.safeParse(value)
  if (data === undefined) throw damaged()
  const [iv, tag, sealed] = [data.iv, data.tag, data.sealed].map((one) => Buffer.from(one, 'base64'))
  if (iv?.length !== 12 || tag?.length !== 16 || sealed === undefined) throw damaged()
  return { header: data.key, iv, tag, sealed }
}

function jsonIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch {
    throw damaged()
  }
}

/** Throws where a byte of it was changed. */
export function openSealed({ header, iv, tag, sealed }: Sealed, { secret }: StoreKey): string {
  try {
    const decipher = createDecipheriv('aes-256-gcm', secret, iv)
    decipher.setAAD(sealedWith(header))
    decipher.setAuthTag(tag)
    return Buffer.concat([decipher.update(sealed), decipher.final()]).toString('utf8')
  } catch {
    throw damaged()
  }
}

function sealedWith(header: KeyHeader): Buffer {
  return Buffer.from(JSON.stringify([format, formatVersion, Object.entries(header).toSorted(byName)]))
}

const byName = ([one]: [string, unknown], [other]: [string, unknown]) => (one < other ? -1 : 1)

export function damaged(): ConnectorError {
  return new ConnectorError('secrets/damaged', 'The store of test configs is damaged. It was left as it is.')
}
