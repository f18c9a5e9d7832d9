/** Claims + key → a JSON Web Token. With Node's crypto, which reads every form of private key, with a passphrase or without. */
import type { KeyObject } from 'node:crypto'
import { ConnectorError, type SourceLocation } from '../../std/errors.ts'

/** Loaded with the first token: few APIs want one, and it is a tenth of what the engine takes to load. */
const crypto = () => process.getBuiltinModule('node:crypto')

export type JwtInput = {
  /** `HS256` … `EdDSA` */
  readonly algorithm: string
  /** JSON. */
  readonly header: string
  readonly payload: string
  /** A shared secret, or a private key as PEM. */
  readonly key: string
  readonly passphrase: string
  readonly at: SourceLocation
}

export function signJwt({ algorithm, header, payload, ...input }: JwtInput): string {
  const signed = `${base64url(header)}.${base64url(payload)}`
  return `${signed}.${signatureOf(signed, algorithm, input).toString('base64url')}`
}

type Key = Pick<JwtInput, 'key' | 'passphrase' | 'at'>

function signatureOf(text: string, algorithm: string, input: Key): Buffer {
  const bytes = Buffer.from(text)
  const { constants, createHmac, sign } = crypto()
  const hash = `sha${algorithm.slice(2, 5)}`
  switch (algorithm.slice(0, 2)) {
    case 'HS':
      if (input.key === '') throw invalidKey(algorithm, input, 'it is empty')
      return createHmac(hash, input.key).update(bytes).digest()
    case 'RS':
      return sign(hash, bytes, privateKey(algorithm, input, ['rsa']))
    case 'PS': {
      const key = privateKey(algorithm, input, ['rsa', 'rsa-pss'])
      const saltLength = constants.RSA_PSS_SALTLEN_DIGEST
      return sign(hash, bytes, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength })
    }
    case 'ES':
      return sign(hash, bytes, { key: curveKey(algorithm, input), dsaEncoding: 'ieee-p1363' })
    default:
      return sign(null, bytes, privateKey(algorithm, input, ['ed25519', 'ed448']))
  }
}

const curves: Readonly<Record<string, string>> = {
  ES256: 'prime256v1',
  ES256K: 'secp256k1',
  ES384: 'secp384r1',
  ES512: 'secp521r1',
}

function curveKey(algorithm: string, input: Key): KeyObject {
  const key = privateKey(algorithm, input, ['ec'])
  const curve = key.asymmetricKeyDetails?.namedCurve
  if (curve === curves[algorithm]) return key
  throw invalidKey(algorithm, input, `its curve is ${curve}, not ${curves[algorithm]}`)
}

function privateKey(algorithm: string, input: Key, types: readonly string[]): KeyObject {
  const key = readKey(algorithm, input)
  const { asymmetricKeyType: type = 'unknown' } = key
  if (types.includes(type)) return key
  throw invalidKey(algorithm, input, `it is of the type ${type}, not ${types.join(' or ')}`)
}

/** Never quotes the key, nor what the reader of keys says about it. */
function readKey(algorithm: string, input: Key): KeyObject {
  // Forms and environment files often leave the line breaks of a key as `\n`.
  const pem = input.key.replaceAll('\\n', '\n').trim()
  try {
    return crypto().createPrivateKey({ key: pem, ...(input.passphrase !== '' && { passphrase: input.passphrase }) })
  } catch {
    throw invalidKey(algorithm, input, 'it is not a private key in PEM, or the passphrase is wrong')
  }
}

function invalidKey(algorithm: string, { at }: Key, reason: string): ConnectorError {
  return new ConnectorError('plan/invalid-key', `\`secret_key\` cannot be used with ${algorithm}: ${reason}.`, { at })
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url')
}
