/** What the engine does, by hand: request, parse, count, until a short page. */
import { Pool } from 'undici'

type Loop = { readonly total: number; readonly pageSize?: number; readonly delayMs?: number }

/** How many records it read. */
export async function bareLoop(url: string, { total, pageSize = 100, delayMs = 0 }: Loop): Promise<number> {
  const pool = new Pool(url, { connections: 1 })
  let count = 0
  for (let offset = 0; ; offset += pageSize) {
    const { body } = await pool.request({
      method: 'GET',
      path: `/items?total=${total}&offset=${offset}&limit=${pageSize}&delay=${delayMs}`,
    })
    const { data } = JSON.parse(await body.text()) as { data: unknown[] }
    count += data.length
    if (data.length < pageSize) break
  }
  await pool.close()
  return count
}
