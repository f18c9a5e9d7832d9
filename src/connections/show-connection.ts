/** A connection as it may be shown: a secret that is written out is hidden, a reference is not. */
import type { LoadedManifest } from '../connector/load-manifest.ts'
import { removeIn, setIn } from '../document/edit.ts'
import { changesBetween } from '../document/edit-resolved.ts'
import { mask } from '../engine/secrets/credential-names.ts'
import { secretsOf } from '../engine/secrets/find-secrets.ts'
import { createRedactor } from '../engine/secrets/redact.ts'
import type { Config } from '../engine/plan/plan.ts'
import { isList, isObject } from '../std/values/objects.ts'
import type { Connection } from './connection.ts'
import { isFileReference, isOnlyReferences } from './references.ts'
import { shownWebhook } from './schedule.ts'

/** `text` is the file, with secrets hidden. */
export type ShownConnection = Omit<Connection, 'file' | 'prefetch' | 'concurrency' | 'locate'>

/** @param manifest null where it cannot be loaded: then names decide what is a secret. */
export function showConnection(connection: Connection, manifest: LoadedManifest | null): ShownConnection {
  const { name, folder, connector, config, destination, schema, streams, mode, require, text, schedule, origins } =
    connection
  const webhook = schedule?.webhook
  const shownHook = webhook === undefined ? undefined : shownWebhook(webhook)
  const secrets = secretsOf(manifest, withoutReferences(config) as Config)
  const redactor = createRedactor(secrets.filter((one) => typeof one !== 'string' || !isOnlyReferences(one)))
  const shownConfig = redactor.value(config) as Config
  const shownDestination = destination === null ? null : hidePassword(destination)
  const withoutSecrets = [
    ...changesBetween(['config'], config, shownConfig),
    ...changesBetween(['destination'], destination, shownDestination),
    ...changesBetween(['schedule', 'webhook'], webhook, shownHook),
  ].reduce(hideAt, text)
  return {
    name,
    folder,
    connector,
    config: shownConfig,
    destination: shownDestination,
    schema,
    streams,
    mode,
    require,
    schedule: schedule === null ? null : { ...schedule, ...(shownHook !== undefined && { webhook: shownHook }) },
    origins,
    // Comments may hold them, too.
    text: hidePassword(
      redactor.text(webhook === undefined ? withoutSecrets : withoutSecrets.replaceAll(webhook, shownHook ?? '')),
    ).replaceAll(placeholder, mask),
  }
}

/** A word that needs no quotes, as the mask does. */
const placeholder = 'hidden-by-turnleaf'

/** At its place: a block of lines, quotes and escapes spell a value in other ways than itself. */
function hideAt(text: string, { at, value }: ReturnType<typeof changesBetween>[number]): string {
  if (value === undefined) return removeIn(text, at)
  return setIn(text, at, typeof value === 'string' ? value.replaceAll(mask, placeholder) : value)
}

/** `postgres://me:secret@host` → `postgres://me:****@host`; a reference in its place stays. */
export function hidePassword(text: string): string {
  // Within an address `file:` is text.
  const hide = (whole: string, before: string, password: string) =>
    isOnlyReferences(password) && !isFileReference(password) ? whole : `${before}${mask}`
  return text.replace(/(:\/\/[^\s:/@]*:)(\S*)(?=@)/g, hide).replace(/([?&]password=)([^\s&'"]*)/gi, hide)
}

/** References are no secrets: what they stand for is. */
function withoutReferences(value: unknown): unknown {
  if (typeof value === 'string') return isOnlyReferences(value) ? '' : value
  if (isList(value)) return value.map(withoutReferences)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutReferences(member)]))
}
