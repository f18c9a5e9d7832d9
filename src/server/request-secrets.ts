/** The body of a request → what hides the secrets of its config in whatever is said to be wrong. */
import { checkManifest } from '../engine/manifest/check.ts'
import { secretsOf } from '../engine/secrets/find-secrets.ts'
import { createRedactor } from '../engine/secrets/redact.ts'
import { isObject } from '../std/values/objects.ts'

/**
 * For errors that no run has hidden secrets in: it failed before there was one, or outside of it. Worked out only when
 * something fails, since it reads the manifest once more.
 */
export function withoutSecretsOf(body: unknown, error: unknown): unknown {
  if (!isObject(body) || !isObject(body.config)) return error
  const given = body.text ?? body.manifest
  const source = typeof given === 'string' || isObject(given) ? given : null
  const manifest = source === null ? null : checkManifest(source).manifest
  return createRedactor(secretsOf(manifest, body.config)).error(error)
}
