/**
 * A connector with its config → the origins that it sends requests to. A connection with secrets remembers them, so that a server
 * that others can reach sends the secrets nowhere else, whatever becomes of the connector.
 */
import { normalizeConfig } from '../engine/config/normalize-config.ts'
import type { Manifest } from '../engine/manifest/manifest.ts'
import type { Config } from '../engine/plan/plan.ts'
import { compileTemplate, type Scope, uuidKey, withClock } from '../engine/template/template.ts'
import { pythonText } from '../engine/template/text.ts'
import { isUrl } from '../std/text/is-url.ts'
import { isList, isObject } from '../std/values/objects.ts'
import { hasReferences } from './references.ts'

/** As far as they are known before a request is sent. */
export async function connectorOrigins(manifest: Manifest, given: Config): Promise<string[]> {
  const config = withClock(await normalized(manifest, given), () => 0)
  const found = new Set<string>()
  const seen = new Set<unknown>()
  const visit = (node: object, parameters: unknown): void => {
    if (seen.has(node)) return
    seen.add(node)
    const own = isObject(node) && isObject(node.$parameters) ? node.$parameters : parameters
    for (const [name, member] of Object.entries(node)) {
      if (isObject(member) || isList(member)) {
        if (!dataFields.has(name)) visit(member, own)
      } else if (typeof member === 'string' && addresses.test(name)) {
        const origin = originOf(textOf(member, { config, parameters: own, [uuidKey]: () => '' }))
        if (origin !== null) found.add(origin)
      }
    }
  }
  visit(manifest.root, {})
  return [...found].toSorted()
}

/** `https://api.shop.example`, without a path; null for anything else. */
export function parseOrigin(text: string): string | null {
  const origin = originOf(text)
  return origin !== null && new URL(text).href === `${origin}/` ? origin : null
}

/** What is data of the author's, and no address of a request. */
const dataFields = new Set(['spec', 'schema', 'metadata', '$parameters', 'definitions'])

/** `url_base`, `url`, `path`, which may be a whole address, and the endpoints of tokens. */
const addresses = /(?:^|_)(?:url|url_base|path|endpoint)$/

async function normalized(manifest: Manifest, config: Config): Promise<Config> {
  try {
    return (await normalizeConfig(manifest, config, {})).config
  } catch {
    // A rule that needs a custom class, or the value of a reference.
    return config
  }
}

function textOf(source: string, scope: Scope): string {
  try {
    return pythonText(compileTemplate(source).evaluate(scope) ?? '')
  } catch {
    // A template that cannot be evaluated fails where it is used.
    return ''
  }
}

/** Null also where a part of the host is a reference such as `${REGION}`: its value may be another one in each run. */
function originOf(text: string): string | null {
  if (!isUrl(text) || !/^https?:\/\//i.test(text)) return null
  const { host, origin } = new URL(text)
  return hasReferences(host) ? null : origin
}
