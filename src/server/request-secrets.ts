/** The body of a request → its config's secrets, hidden in errors. */
import { checkManifest } from '../engine/manifest/check.ts'
import { secretsOf } from '../engine/secrets/find-secrets.ts'
import { createRedactor } from '../engine/secrets/redact.ts'
import { isObject } from '../std/values/objects.ts'

/**
 * For errors outside of a run, in which secrets are not hidden yet. Only called after a failure, since it reads the
 * manifest again.
 */
export function withoutSecretsOf(body: unknown, error: unknown): unknown {
  if (!isObject(body) || !isObject(body.config)) return error
  const given = body.text ?? body.manifest
  const source = typeof given === 'string' || isObject(given) ? given : null
  const manifest = source === null ? null : checkManifest(source).manifest
  return createRedactor(secretsOf(manifest, body.config)).error(error)
}
