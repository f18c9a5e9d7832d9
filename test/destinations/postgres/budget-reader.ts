/** A process of its own that reads every page of a manifest within a budget that other processes share, and counts its retries. */
import { loadManifest } from '../../../src/connector/load-manifest.ts'
import { openPostgresBudget } from '../../../src/destinations/postgres/postgres-budget.ts'
import { readPages } from '../../../src/read-manifest.ts'

export type BudgetTask = {
  readonly manifest: object
  readonly url: string
  readonly schema: string
  readonly isShared: boolean
}

const [, program, task] = process.argv
if (program?.endsWith('budget-reader.js') === true && task !== undefined) {
  const { manifest, url, schema, isShared } = JSON.parse(task) as BudgetTask
  const budget = isShared ? await openPostgresBudget(url, { schema, scope: 'shop' }) : undefined
  for await (const _ of readPages(loadManifest(manifest), { sharedBudget: budget, prefetch: 'off', concurrency: 16 }));
  await budget?.end()
}
