/**
 * What of the test configs survives a reload. Secrets are in the memory of the tab only: the storage of the tab, which browsers
 * may write to disk, gets the names and what is certainly no secret. Kept configs come from the server.
 */
import { follow } from '../../document/follow.ts'
import { isInputName } from '../../engine/secrets/credential-names.ts'
import { isSecretValue, looksRandom } from '../../from-request/secret-words.ts'
import { parseStoredReference } from '../../server/wire/stored-reference.ts'
import { inputNamesIn } from '../settings/inputs/config-references.ts'
import { inputsIn } from '../settings/inputs/spec-inputs.ts'
import { authenticatorGroups } from '../settings/requester-groups.ts'
import { describeInput } from '../test-reads/inputs/needed-inputs.ts'
import { emptiedNames, type TabConfig, type TabConfigs } from './tab-configs.ts'

/**
 * Without what may be a secret; the names of those inputs are left, to ask for them again.
 *
 * @param root the manifest, which says what is a secret
 */
export function reloadable({ used, configs }: TabConfigs, root: unknown): TabConfigs {
  const safe = safeInputs(root)
  const own = configs.filter(({ kept }) => kept === null)
  return { used, configs: own.map((config) => withoutSecrets(config, safe)) }
}

function withoutSecrets(config: TabConfig, safe: ReadonlySet<string>): TabConfig {
  const inputs = Object.entries(config.inputs)
  const isSafe = ([name, value]: [string, unknown]) => isReference(value) || (safe.has(name) && !isSuspicious(value))
  const emptied = inputs.filter((input) => !isSafe(input)).map(([name]) => name)
  return {
    ...config,
    inputs: Object.fromEntries(inputs.filter(isSafe)),
    emptied: [...emptiedNames(config), ...emptied],
  }
}

/** Declared, and neither marked as a secret, nor called like one, nor used to authenticate, nor with parts of their own. */
function safeInputs(root: unknown): ReadonlySet<string> {
  const authenticating = new Set(authenticatorGroups(root).flatMap(({ at }) => inputNamesIn(follow(root, at).value)))
  const safe = inputsIn(root).filter(({ name, schema }) => {
    const { kind, isSecret } = describeInput(name, schema)
    return !isSecret && kind !== 'nested' && !isInputName(name) && !authenticating.has(name)
  })
  return new Set(safe.map(({ name }) => name))
}

/** The server fills it in: the page has no value. */
function isReference(value: unknown): boolean {
  return parseStoredReference(value) !== null || (typeof value === 'string' && /^\$\{[A-Za-z_]\w*\}$/.test(value))
}

/** A key by its form, or an address with a password or a query. */
function isSuspicious(value: unknown): boolean {
  return typeof value === 'string' && (isSecretValue(value) || looksRandom(value) || /:\/\/[^/]*@|\?/.test(value))
}
