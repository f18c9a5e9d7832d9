/** Whether a connection would sync: its references, its connector, the API and the destination, one after the other. */
import type { LoadedManifest } from '../connector/load-manifest.ts'
import type { Config } from '../engine/plan/plan.ts'
import { streamsOf } from '../engine/streams-of.ts'
import { checkConnection } from '../protocol/check.ts'
import { redactedError } from '../protocol/failure.ts'
import { withoutPasswords } from '../destinations/without-passwords.ts'
import { openRunOf, type ReadOptions } from '../read.ts'
import { ConnectorError, hasCode } from '../std/errors.ts'
import type { Connection } from './connection.ts'
import { namesStreams, refuseImpossibleStreams, refuseUnknownStreams } from './check-streams.ts'
import { connectionConfig, connectionDestination, connectionManifest, type OpeningOptions } from './open-connection.ts'
import { fillReferences } from './references.ts'

/** In the order in which they are checked. */
const connectionChecks = ['references', 'connector', 'api', 'destination'] as const

export type ConnectionCheck = {
  readonly check: (typeof connectionChecks)[number]
  /** `skipped`: another check has to succeed first. */
  readonly status: 'ok' | 'failed' | 'skipped'
  /** Why it failed, without secrets; null otherwise. */
  readonly error: Error | null
  readonly note?: string
}

type CheckName = ConnectionCheck['check']

/** Requests one page of the streams that the manifest's `check` names, and opens the destination. */
export async function checkConnectionParts(
  connection: Connection,
  options: OpeningOptions & { readonly signal?: AbortSignal },
): Promise<ConnectionCheck[]> {
  const { config, destination, folder, locate } = connection
  const references = await attempt('references', () =>
    fillReferences({ config, ...(destination !== null && { destination }) }, { folder, locate }),
  )
  const connector = await attempt('connector', async () => {
    const loaded = await connectionManifest(connection, options.home)
    refuseImpossibleStreams(loaded, connection)
    return loaded
  })
  const isFilled = references.check.status === 'ok'
  const manifest = connector.value
  return [
    references.check,
    connector.check,
    isFilled && manifest !== null ? await checkApi(connection, manifest, options) : skipped('api'),
    isFilled ? await checkDestination(connection, options) : skipped('destination'),
  ]
}

async function checkApi(
  connection: Connection,
  manifest: LoadedManifest,
  { signal, warn = () => {} }: OpeningOptions & { readonly signal?: AbortSignal },
): Promise<ConnectionCheck> {
  const { check } = await attempt('api', async () => {
    const { config, save, saveAgain } = await connectionConfig(connection, manifest, warn)
    let latest = config
    const onConfig = (changed: Config) => {
      latest = changed
      return save(changed)
    }
    try {
      // Its failure has no secrets in it.
      const { failure } = await checkConnection(manifest, config, { signal, onConfig })
      if (failure !== null) throw failure
      if (namesStreams(connection)) await checkStreams(connection, manifest, { config: latest, signal, onConfig })
    } finally {
      await saveAgain()
    }
  })
  return check
}

/** With the config, which decides on streams under a condition, and with those that the API names. */
async function checkStreams(connection: Connection, manifest: LoadedManifest, options: ReadOptions): Promise<void> {
  const { run, close } = await openRunOf(manifest, { ...options, isNormalized: true })
  try {
    const known = await streamsOf(run, options)
    refuseUnknownStreams(
      manifest,
      connection,
      known.map(({ name }) => name),
    )
  } finally {
    await close()
  }
}

/** A destination that a sync uses is one that opens. */
async function checkDestination(connection: Connection, options: OpeningOptions): Promise<ConnectionCheck> {
  const { check, value } = await attempt('destination', async () => {
    const to = await connectionDestination(connection, options)
    try {
      await (await to.open(connection.name)).close()
    } catch (error) {
      if (!hasCode(error, 'destinations/busy')) throw error
      return `${to.address}, which a sync uses now`
    }
    return to.address
  })
  return value === null ? check : { ...check, note: value }
}

function skipped(check: CheckName): ConnectionCheck {
  return { check, status: 'skipped', error: null }
}

async function attempt<T>(
  check: CheckName,
  work: () => Promise<T>,
): Promise<{ check: ConnectionCheck; value: T | null }> {
  try {
    return { check: { check, status: 'ok', error: null }, value: await work() }
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error
    return { check: { check, status: 'failed', error: redactedError(error, withoutPasswords) }, value: null }
  }
}
