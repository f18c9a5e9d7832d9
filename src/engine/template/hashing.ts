/** Text → hexadecimal digests, by the names of Python's hashlib. */
import { createHash, createHmac } from 'node:crypto'
import { spend } from './meter.ts'

/** Python's name → OpenSSL's. */
const functions = new Map([
  ...['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512'].map((name) => [name, name] as const),
  ...['224', '256', '384', '512'].map((bits) => [`sha3_${bits}`, `sha3-${bits}`] as const),
  ['blake2b', 'blake2b512'] as const,
  ['blake2s', 'blake2s256'] as const,
])

/** Null when there is no such function. */
export function digestOf(name: string, text: string): string | null {
  spend(10 + (text.length >> 6))
  const known = functions.get(name)
  return known === undefined ? null : createHash(known).update(text).digest('hex')
}

export function hmacSha256(key: string, message: string): string {
  spend(20 + (message.length >> 6))
  return createHmac('sha256', key).update(message).digest('hex')
}
