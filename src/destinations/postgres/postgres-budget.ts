/** A budget for all processes that use one database: a row per key, and only the server's clock. */
import { randomUUID } from 'node:crypto'
import { type LeasedCalls, leaseCalls, nothingLeased, type SharedBudget } from '../../engine/plan/shared-budget.ts'
import type { RatePlan } from '../../engine/plan/budget.ts'
import { parseAddress } from './address.ts'
import { budgetsTable, prepareSchema } from './schema.ts'
import { connect, type PostgresSession } from './session.ts'
import { storable } from './sql.ts'

export type PostgresBudget = SharedBudget & { readonly end: () => Promise<void> }

export type PostgresBudgetOptions = {
  /** What has one quota: the name of the connection. */
  readonly scope: string
  readonly schema?: string | undefined
}

const channel = '_turnleaf_budgets'

/** Has a session of its own: requests wait for no commit. */
export async function openPostgresBudget(url: string, options: PostgresBudgetOptions): Promise<PostgresBudget> {
  const session = await connect(parseAddress(url, options.schema), 5000)
  try {
    await prepareSchema(session)
    // A crash of the server may lose the last calls, which is no harm, and no lease waits for a disk.
    await session.query('SET synchronous_commit = off')
    return await openFor(session, storable(options.scope))
  } catch (error) {
    await session.close()
    throw error
  }
}

type Told = { readonly scope: string; readonly key: string; readonly ms: number; readonly by: string }

async function openFor(session: PostgresSession, scope: string): Promise<PostgresBudget> {
  const { query } = session
  const own = randomUUID()
  const table = budgetsTable(session.schema)
  const listeners: ((key: string, ms: number) => void)[] = []
  await session.listen(channel, (payload) => {
    const told = JSON.parse(payload) as Told
    if (told.scope === scope && told.by !== own) for (const listener of listeners) listener(told.key, told.ms)
  })
  const underWay = await pausesIn(session, scope)

  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(() => session.transaction(work))
    last = turn.catch(() => {})
    return turn
  }
  const created = new Set<string>()
  /** The row stays locked until the transaction ends; the time is read after it was locked. */
  const stateOf = async (key: string): Promise<{ state: LeasedCalls; now: number }> => {
    if (!created.has(key)) {
      const sql = `INSERT INTO ${table} (scope, key, state) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`
      await query(sql, [scope, key, JSON.stringify(nothingLeased)])
      created.add(key)
    }
    const [row] = await query(
      `WITH locked AS MATERIALIZED (SELECT state FROM ${table} WHERE scope = $1 AND md5(key) = md5($2) FOR UPDATE)
       SELECT state, ${serverNow} AS now FROM locked`,
      [scope, key],
    )
    return { state: JSON.parse(String(row?.state)) as LeasedCalls, now: Number(row?.now) }
  }
  const keep = (key: string, state: LeasedCalls) =>
    query(`UPDATE ${table} SET state = $3 WHERE scope = $1 AND md5(key) = md5($2)`, [scope, key, JSON.stringify(state)])

  /** Calls under way, by key. */
  const lent = new Map<string, { readonly rates: readonly RatePlan[]; readonly calls: number }>()
  const lease: SharedBudget['lease'] = (key, rates, wanted, ended) =>
    inTurn(async () => {
      const { state, now } = await stateOf(key)
      const { after, lease: answer } = leaseCalls(state, { process: own, now, rates, wanted, ended })
      if (answer.calls > 0 || ended.length > 0) await keep(key, after)
      const calls = (lent.get(key)?.calls ?? 0) + answer.calls - ended.reduce((sum, one) => sum + one.calls, 0)
      lent.set(key, { rates, calls })
      return answer
    })

  return {
    lease,
    pause: (key, ms) =>
      inTurn(async () => {
        const { state, now } = await stateOf(key)
        await keep(key, { ...state, pausedUntil: Math.max(state.pausedUntil, now + ms) })
        const told: Told = { scope, key, ms, by: own }
        await query('SELECT pg_notify($1, $2)', [channel, JSON.stringify(told)])
      }),
    onPause(listener) {
      listeners.push(listener)
      for (const { key, ms } of underWay) listener(key, ms)
    },
    async end() {
      // What is lost with this process is free for the others after an interval.
      for (const [key, { rates, calls }] of lent)
        if (calls > 0) await lease(key, rates, 0, [{ agoMs: 0, calls }]).catch(() => {})
      await last
      await session.close()
    },
  }
}

const serverNow = 'extract(epoch FROM clock_timestamp()) * 1000'

async function pausesIn({ query, schema }: PostgresSession, scope: string) {
  const rows = await query(`SELECT key, state, ${serverNow} AS now FROM ${budgetsTable(schema)} WHERE scope = $1`, [
    scope,
  ])
  return rows
    .map(({ key, state, now }) => ({
      key: String(key),
      ms: (JSON.parse(String(state)) as LeasedCalls).pausedUntil - Number(now),
    }))
    .filter(({ ms }) => ms > 0)
}
