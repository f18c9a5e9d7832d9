/** `turnleaf serve`, which is `npm start`: site, API and lab, and every stream of the lab landed in a database. */
import { join } from 'node:path'
import type { Lab } from '../../lab/lab.ts'
import { apiListener } from '../../server/server.ts'
import { checkOrigin } from '../../site/origin.ts'
import { createSite, siteListener } from '../../site/site.ts'
import { sync } from '../../sync/sync.ts'
import { embeddedAddress } from '../destination-address.ts'
import { openManifest } from '../files.ts'
import { interrupted, listenForInterrupt, serverExitCode } from '../interrupt.ts'
import { openLab, usualPort } from './lab.ts'
import { openPort } from '../open-port.ts'
import { packageFolder, packageVersion } from '../package.ts'
import { isWatched, say } from '../terminal/print.ts'
import { reportError } from '../report.ts'
import { sayAddresses } from '../say-addresses.ts'
import { servicesFor, tokenFor } from '../services.ts'
import { shownPath } from '../terminal/shown-path.ts'
import { sayOutcome, sayReceipts } from '../terminal/sync-outcome.ts'
import { showSync } from '../terminal/sync-progress.ts'

export type ServeCommandOptions = {
  readonly host?: string
  readonly sitePort?: number
  readonly apiPort?: number
  readonly labPort?: number
  /** `--no-read` makes it false. */
  readonly read: boolean
}

export async function runServe({
  host: askedHost,
  sitePort,
  apiPort,
  labPort,
  read,
}: ServeCommandOptions): Promise<number> {
  const interrupt = listenForInterrupt()
  const { signal } = interrupt
  const host = askedHost ?? (process.env.TURNLEAF_HOST || '127.0.0.1')
  const askedBaseUrl = originFrom('TURNLEAF_BASE_URL')
  const askedApiUrl = originFrom('TURNLEAF_API_URL')
  const token = tokenFor(host)

  await using site = await openPort({
    name: 'site',
    host,
    asked: sitePort,
    variable: 'TURNLEAF_SITE_PORT',
    usual: 8080,
  })
  await using api = await openPort({ name: 'API', host, asked: apiPort, variable: 'TURNLEAF_API_PORT', usual: 8081 })
  await using lab = await openLab(labPort === undefined ? {} : { port: labPort })
  const facts = { baseUrl: askedBaseUrl ?? site.url, apiUrl: askedApiUrl ?? api.url, version: packageVersion() }
  site.serve(siteListener(createSite(facts)))
  await using services = servicesFor(host, token, lab.url)
  api.serve(apiListener(facts, services))

  await sayAddresses({ api: api.url, site: site.url, lab: lab.url }, facts, services)
  if (read) await land(lab, signal)
  if (signal.aborted) return serverExitCode(interrupt)
  say(`\nAll stay open until Ctrl-C. Try, in another terminal:\n`)
  say(`  curl '${lab.url}/offset?offset=100&limit=2'`)
  say(`  npx turnleaf read --manifest-path ${shownPath(labManifest())} --stream cursor${configHint(lab.port)}`)
  process.stdout.write(`${lab.url}\n`)
  await interrupted(signal)
  return serverExitCode(interrupt)
}

function originFrom(variable: string): string | undefined {
  const text = process.env[variable]
  return text === undefined || text === '' ? undefined : checkOrigin(text, variable)
}

function labManifest(): string {
  return join(packageFolder(), 'connectors/lab/manifest.yaml')
}

/** Lands every stream of the lab in the embedded database, and says what came of it. */
async function land(lab: Lab, signal: AbortSignal): Promise<void> {
  const manifest = await openManifest(labManifest())
  const progress = showSync({ isLive: isWatched })
  say('')
  try {
    const result = await sync(manifest, {
      config: { base_url: lab.url },
      to: embeddedAddress(),
      connection: 'lab',
      // The lab may be at another port each time, and is soon read.
      isFresh: true,
      signal,
      // Where no row moves, the table at the end says it all.
      ...(isWatched && { onEvent: (event) => progress.tell(event) }),
    })
    progress.end()
    sayReceipts(result.receipts)
    sayOutcome(result, 'unproven')
  } catch (error) {
    // Another server may have the file: this one is no worse for it.
    progress.end()
    if (!signal.aborted) reportError(error)
  }
}

function configHint(port: number): string {
  return port === usualPort ? '' : ` --config <(echo '{"base_url":"http://127.0.0.1:${port}"}')`
}
