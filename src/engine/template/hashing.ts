/** Text → hexadecimal digests, by the names of Python's hashlib. */
import { blake2b, blake2s } from '@noble/hashes/blake2.js'
import { hmac } from '@noble/hashes/hmac.js'
import { md5, sha1 } from '@noble/hashes/legacy.js'
import { sha224, sha256, sha384, sha512 } from '@noble/hashes/sha2.js'
import { sha3_224, sha3_256, sha3_384, sha3_512 } from '@noble/hashes/sha3.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { spend } from './meter.ts'

const functions: Record<string, (octets: Uint8Array) => Uint8Array> = {
  md5,
  sha1,
  sha224,
  sha256,
  sha384,
  sha512,
  sha3_224,
  sha3_256,
  sha3_384,
  sha3_512,
  blake2b: (octets) => blake2b(octets),
  blake2s: (octets) => blake2s(octets),
}

/** Null when there is no such function. */
export function digestOf(name: string, text: string): string | null {
  spend(10 + (text.length >> 6))
  if (!Object.hasOwn(functions, name)) return null
  return bytesToHex(functions[name]?.(new TextEncoder().encode(text)) ?? new Uint8Array())
}

export function hmacSha256(key: string, message: string): string {
  spend(20 + (message.length >> 6))
  const encoder = new TextEncoder()
  return bytesToHex(hmac(sha256, encoder.encode(key), encoder.encode(message)))
}
