/** `--on postgres://…` → queue and progress in that database. */
import { type QueueDatabase, openQueueDatabase } from './database.ts'
import { openQueue, type QueueOptions } from './pg-boss.ts'
import type { Queue } from './queue.ts'
import { prepareTables } from './tables.ts'

export type OpenWorkers = AsyncDisposable & { readonly database: QueueDatabase; readonly queue: Queue }

export async function openWorkers(url: string, options: QueueOptions = {}): Promise<OpenWorkers> {
  const database = await openQueueDatabase(url)
  try {
    const queue = await openQueue(database, options)
    await prepareTables(database)
    return {
      database,
      queue,
      async [Symbol.asyncDispose]() {
        await queue.close()
        await database.close()
      },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}
