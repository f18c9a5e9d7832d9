/**
 * A process of its own that opens the destination with a claim, or alone where none is named, and reads how far it is.
 * For each line of its input it then commits the next page, and reports `committed` or the code of the error:
 * `node claimant.js URL SCHEMA LEASE_MS [CLAIM [LEAD_EPOCH]]`.
 */
import { createInterface } from 'node:readline'
import { leadClaim } from '../../../src/destinations/destination.ts'
import { postgresDestination } from '../../../src/destinations/postgres/postgres.ts'
import { ConnectorError } from '../../../src/std/errors.ts'
import { commit, page, table, write } from '../behaviours.ts'

export const rowsOfPage = 10
const orders = table('orders', 'append')

async function claim(url: string, schema: string, leaseMs: number, name?: string, epoch?: string): Promise<void> {
  const under = epoch === undefined ? undefined : { ...leadClaim, epoch: Number(epoch) }
  const destination = postgresDestination(url, { schema, leaseMs, lockWaitMs: 200 })
  const open = await destination.open('shop', name === undefined ? undefined : { name, under })
  const last = Number((await open.notes('last')).get('last') ?? 0)
  say(`opened ${last}`)
  let number = last
  for await (const _ of createInterface(process.stdin)) {
    number++
    const records = Array.from({ length: rowsOfPage }, (__, id) => ({ id: number * rowsOfPage + id }))
    try {
      await open.commit(commit([write(orders, page(records, { page: number }))], { last: String(number) }))
      say('committed')
    } catch (error) {
      say(codeOf(error))
    }
  }
  await open.close()
}

function codeOf(error: unknown): string {
  return error instanceof ConnectorError ? error.code : String(error)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

const [, program, url, schema, leaseMs, name, epoch] = process.argv
if (program?.endsWith('claimant.js') === true && url !== undefined && schema !== undefined)
  await claim(url, schema, Number(leaseMs), name, epoch).catch((error: unknown) => say(codeOf(error)))
