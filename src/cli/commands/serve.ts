/** `turnleaf serve`, which is `npm start`: site, API and lab; syncs every stream of the lab into a database. */
import { join } from 'node:path'
import { isatty } from 'node:tty'
import type { Lab } from '../../lab/lab.ts'
import { apiListener } from '../../server/server.ts'
import { mcpPath } from '../../site/documents/server-card.ts'
import { checkOrigin } from '../../site/origin.ts'
import { readSiteFiles } from '../../site/docs/read-docs.ts'
import { createSite, siteListener } from '../../site/site.ts'
import { sync } from '../../sync/sync.ts'
import { addressFrom, embeddedAddress } from '../destination-address.ts'
import { openManifest } from '../files.ts'
import { interrupted, listenForInterrupt, serverExitCode } from '../interrupt.ts'
import { openLab, usualPort } from './lab.ts'
import { openPort } from '../open-port.ts'
import { docsFolder, packageFolder, packageVersion } from '../package.ts'
import { colours, isWatched, oneLine, row, say } from '../terminal/print.ts'
import { sayScheduleNews } from '../terminal/schedule-news.ts'
import { reportError } from '../report-error.ts'
import { sayOutcome } from '../terminal/sync-outcome.ts'
import { sayReceipts } from '../terminal/receipts.ts'
import { showProgress } from '../terminal/progress.ts'
import { connectorFolders } from '../../server/connectors/folders.ts'
import { stampsOf } from '../../server/connectors/poll-changes.ts'
import type { Services } from '../../server/services.ts'
import type { SiteFacts } from '../../site/facts.ts'
import { count } from '../../std/text/format-count.ts'
import { ConnectorError } from '../../std/errors.ts'
import { isLoopback } from '../../server/guards.ts'
import { openMcpWhenCalled } from '../../mcp/open-when-called.ts'
import { mcpSecrets } from '../../mcp/secrets.ts'
import type { BoundSecret } from '../../server/secrets/secret-network.ts'
import { openSchedules } from '../../server/schedules/schedules.ts'
import { connectionNames, homeFolder, shownPath } from '../../connections/find-connection.ts'
import { openSyncs } from '../../server/syncs/syncs.ts'

type ServeCommandOptions = {
  readonly host?: string
  readonly sitePort?: number
  readonly apiPort?: number
  readonly labPort?: number
  readonly collection?: string
  /** `--no-read` makes it false. */
  readonly read: boolean
}

export async function runServe({
  host: askedHost,
  sitePort,
  apiPort,
  labPort,
  collection = process.env.TURNLEAF_COLLECTION || undefined,
  read,
}: ServeCommandOptions): Promise<number> {
  const interrupt = listenForInterrupt()
  const { signal } = interrupt
  const host = askedHost ?? (process.env.TURNLEAF_HOST || '127.0.0.1')
  const askedBaseUrl = originFrom('TURNLEAF_BASE_URL')
  const askedApiUrl = originFrom('TURNLEAF_API_URL')
  const token = tokenFor(host)
  const secrets = mcpSecrets([], process.env)

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
  site.serve(siteListener(createSite(facts, readSiteFiles(packageFolder()))))
  await using services = servicesFor(host, token, lab.url, secrets, collection)
  api.serve(apiListener(facts, services))

  await sayAddresses({ api: api.url, site: site.url, lab: lab.url }, facts, services)
  // Where there are connections, the database may have their tables.
  if (read && (await connectionNames(homeFolder())).length === 0) await syncLab(lab, signal)
  if (signal.aborted) return serverExitCode(interrupt)
  services.schedules.begin()
  say(`\nAll of them run until Ctrl-C. Try in another terminal:\n`)
  say(`  curl '${lab.url}/offset?offset=100&limit=2'`)
  say(`  npx turnleaf read --manifest-path ${shownPath(labManifest())} --stream cursor${configHint(lab.port)}`)
  // For programs: a person has read it above, and would take it for the builder.
  if (!isatty(1)) process.stdout.write(`${lab.url}\n`)
  await interrupted(signal)
  if (services.schedules.running().length > 0)
    say('Stopping: committing what was read. Press Ctrl-C again to stop at once.')
  return serverExitCode(interrupt)
}

function originFrom(variable: string): string | undefined {
  const text = process.env[variable]
  return text === undefined || text === '' ? undefined : checkOrigin(text, variable)
}

function labManifest(): string {
  return join(packageFolder(), 'connectors/lab/manifest.yaml')
}

/** Syncs every stream of the lab into the embedded database, and prints the result. */
async function syncLab(lab: Lab, signal: AbortSignal): Promise<void> {
  const manifest = await openManifest(labManifest())
  const progress = showProgress({ isLive: isWatched })
  say('')
  try {
    const result = await sync(manifest, {
      config: { base_url: lab.url },
      to: embeddedAddress(),
      connection: 'lab',
      // The lab may have another port each time, and is read quickly.
      isFresh: true,
      signal,
      // Without a terminal the table at the end is enough.
      ...(isWatched && { onEvent: (event) => progress.show(event) }),
    })
    progress.end()
    sayReceipts(result.receipts)
    sayOutcome(result, 'unproven')
  } catch (error) {
    // Another server may have the file open: this one still works.
    progress.end()
    if (!signal.aborted) reportError(error)
  }
}

function configHint(port: number): string {
  return port === usualPort ? '' : ` --config <(echo '{"base_url":"http://127.0.0.1:${port}"}')`
}

/** Where each listens; the published addresses may differ. */
type Addresses = { readonly api: string; readonly site: string; readonly lab: string }

async function sayAddresses({ api, site, lab }: Addresses, facts: SiteFacts, services: Services): Promise<void> {
  const line = (name: string, url: string, note: string) =>
    say(row([{ width: 7 }, { width: 0 }, { width: 0 }], [name, colours.bold(url), note]))
  line('builder', api, publishedAs(api, facts.apiUrl) || (await connectorsIn(services)))
  line('API', api, publishedAs(api, facts.apiUrl) || 'described at /openapi.json')
  const mcp = `${api}${mcpPath}`
  line('MCP', mcp, publishedAs(mcp, `${facts.apiUrl}${mcpPath}`) || 'for AI assistants')
  line('site', site, publishedAs(site, facts.baseUrl))
  line('lab', lab, services.lab === null ? 'test reads cannot reach it' : 'the API of the sample')
  const { length } = await services.schedules.list()
  if (length > 0) say(`\nRunning ${count(length, 'schedule')}; \`npx turnleaf schedule list\` shows them.`)
  if (services.token !== null)
    say(`\nThe API requires TURNLEAF_TOKEN. Open the builder at ${facts.apiUrl}/#token=TOKEN.`)
  if (services.egress === 'public-only')
    say('Test reads can reach public addresses only, since other machines can start them.')
}

function publishedAs(url: string, published: string): string {
  return published === url ? '' : `published as ${published}`
}

async function connectorsIn({ home, leftOut, lab }: Services): Promise<string> {
  const { size } = await stampsOf(connectorFolders(home, leftOut)).catch(() => new Map())
  const place = shownPath(join(home, 'connectors'))
  if (size > 0) return `${count(size, 'connector')} in ${place}`
  return `${place} has no connector yet${lab === null ? '' : ': start with the sample'}`
}

/** Throws before anything listens: every client of the API could read with the credentials that users enter. */
function tokenFor(host: string): string | null {
  const token = process.env.TURNLEAF_TOKEN || null
  if (token !== null && !/^[\x21-\x7e]+$/.test(token)) {
    throw new ConnectorError('cli/arguments', 'TURNLEAF_TOKEN has a character that is not allowed in a header.', {
      hint: 'Use letters and digits, for example the output of `openssl rand -hex 32`.',
    })
  }
  if (token === null && !isLoopback(host)) {
    throw new ConnectorError('cli/no-token', `Other machines can reach the API on ${host}, and no token protects it.`)
  }
  return token
}

/** Closed with the scope: `await using services = servicesFor(…)` waits until syncs have committed what they read. */
function servicesFor(
  host: string,
  token: string | null,
  lab: string,
  secrets: readonly BoundSecret[],
  collection: string | undefined,
): Services & AsyncDisposable {
  const isPrivate = isLoopback(host)
  const home = homeFolder()
  const egress = isPrivate ? 'loopback-allowed' : 'public-only'
  const defaultDestination = () => addressFrom(undefined)
  const syncs = openSyncs({ home, egress, defaultDestination })
  const schedules = openSchedules({
    home,
    egress,
    token,
    environment: secrets,
    watch: syncs.watch,
    defaultDestination,
    onNews: (news) => sayScheduleNews(news),
    onWarning: (name, text) => say(oneLine(`${name}: ${text}`)),
  })
  const work = { home, egress, syncs } as const
  return {
    environment: secrets,
    openMcp: openMcpWhenCalled(work, { version: packageVersion(), secrets, docs: docsFolder() }),
    home,
    // In a checkout this folder is where the user's connectors would be.
    leftOut: [join(packageFolder(), 'connectors/lab')],
    pages: join(packageFolder(), 'dist/builder'),
    docsIndex: join(packageFolder(), 'dist/site/search.json'),
    ...(collection !== undefined && { collection }),
    // The lab listens on this machine only, so other machines cannot use it.
    lab: isPrivate ? lab : null,
    token,
    egress,
    syncs,
    schedules,
    async [Symbol.asyncDispose]() {
      await Promise.all([syncs[Symbol.asyncDispose](), schedules[Symbol.asyncDispose]()])
    },
  }
}
