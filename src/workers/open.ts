/** `--on postgres://…` → queue and progress in that database. */
import { type QueueDatabase, openQueueDatabase } from './database.ts'
import { openQueue, type QueueOptions } from './pg-boss.ts'
import type { Queue } from './queue.ts'
import { ownSchema, prepareTables } from './tables.ts'
import { openPostgresBudget, type PostgresBudget } from '../destinations/postgres/postgres-budget.ts'

export type OpenWorkers = AsyncDisposable & {
  readonly database: QueueDatabase
  readonly queue: Queue
  readonly openBudget: (connection: string) => Promise<PostgresBudget>
}

export async function openWorkers(url: string, options: QueueOptions = {}): Promise<OpenWorkers> {
  const database = await openQueueDatabase(url)
  try {
    const queue = await openQueue(database, options)
    await prepareTables(database)
    return {
      database,
      queue,
      openBudget: (scope) => openPostgresBudget(url, { scope, schema: ownSchema }),
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
