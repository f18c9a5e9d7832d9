/** What the engine does, by hand: request, parse, count, until a short page. */
import { Pool } from 'undici'

/** A record of page-server.ts. */
export type BareRecord = {
  readonly id: number
  readonly name: string
  readonly amount: number
  readonly active: boolean
  readonly tags: readonly string[]
  readonly note: string
  readonly nested: object
}

type Loop = {
  readonly total: number
  readonly pageSize?: number
  readonly delayMs?: number
  /** The next page is requested once it has ended. */
  readonly onPage?: (records: readonly BareRecord[]) => unknown
}

/** How many records it read. */
export async function bareLoop(url: string, { total, pageSize = 100, delayMs = 0, onPage }: Loop): Promise<number> {
  const pool = new Pool(url, { connections: 1 })
  let count = 0
  for (let offset = 0; ; offset += pageSize) {
    const { body } = await pool.request({
      method: 'GET',
      path: `/items?total=${total}&offset=${offset}&limit=${pageSize}&delay=${delayMs}`,
    })
    const { data } = JSON.parse(await body.text()) as { data: BareRecord[] }
    count += data.length
    if (onPage !== undefined) await onPage(data)
    if (data.length < pageSize) break
  }
  await pool.close()
  return count
}
