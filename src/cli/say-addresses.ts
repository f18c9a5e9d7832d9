/** What `turnleaf serve` says first: where to go, what is there, and who may come. */
import { join } from 'node:path'
import { connectorFolders } from '../server/connectors/folders.ts'
import { stampsOf } from '../server/connectors/poll-changes.ts'
import type { Services } from '../server/services.ts'
import type { SiteFacts } from '../site/facts.ts'
import { count } from '../std/text/format-count.ts'
import { colours, row, say } from './terminal/print.ts'
import { shownPath } from './terminal/shown-path.ts'

/** Where each listens; what the others are told may differ. */
export type Addresses = { readonly api: string; readonly site: string; readonly lab: string }

export async function sayAddresses({ api, site, lab }: Addresses, facts: SiteFacts, services: Services): Promise<void> {
  const line = (name: string, url: string, note: string) =>
    say(row([{ width: 7 }, { width: 0 }, { width: 0 }], [name, colours.bold(url), note]))
  line('builder', api, publishedAs(api, facts.apiUrl) || (await connectorsIn(services)))
  line('API', api, publishedAs(api, facts.apiUrl) || 'described at /openapi.json')
  line('site', site, publishedAs(site, facts.baseUrl))
  line('lab', lab, services.lab === null ? 'out of reach for test reads' : '')
  if (services.token !== null)
    say(`\nThe API asks for TURNLEAF_TOKEN. Open the builder at ${facts.apiUrl}/#token=TOKEN.`)
  if (services.egress === 'public-only') say('Test reads reach public addresses only, since others may start them.')
}

function publishedAs(url: string, published: string): string {
  return published === url ? '' : `published as ${published}`
}

async function connectorsIn({ home, leftOut }: Services): Promise<string> {
  const { size } = await stampsOf(connectorFolders(home, leftOut)).catch(() => new Map())
  const place = shownPath(join(home, 'connectors'))
  return size === 0 ? `no connectors in ${place} yet` : `${count(size, 'connector')} in ${place}`
}
