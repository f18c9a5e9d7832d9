/** An older state → one that the stream's cursor understands. */
import { ConnectorError } from '../../std/errors.ts'
import { isObject } from '../../std/values/objects.ts'
import { CustomComponent, type CustomOptions, type CustomTools, instantiate, runCustom } from '../custom/component.ts'
import { describeKind } from '../custom/check-returned.ts'
import type { MigrationPlan } from '../plan/cursor.ts'
import type { StreamState } from './stream-cursor.ts'

type MigrationTools = CustomTools & Pick<CustomOptions, 'config'>

/** One migration after the other, each with what the one before it left. */
export async function migrateState(
  migrations: readonly MigrationPlan[],
  state: StreamState | undefined,
  tools: MigrationTools,
): Promise<StreamState | undefined> {
  if (state === undefined) return undefined
  let migrated = state
  for (const plan of migrations) {
    migrated = plan.kind === 'legacy' ? fromLegacy(plan, migrated) : await byOwnClass(plan, migrated, tools)
  }
  return migrated
}

type LegacyPlan = Extract<MigrationPlan, { kind: 'legacy' }>

/** Only a state that is of the older shape in all its members is touched. */
function fromLegacy({ partitionField, cursorField }: LegacyPlan, state: StreamState): StreamState {
  const entries = Object.entries(state)
  const isLegacy = entries.every(([, cursor]) => isObject(cursor) && Object.keys(cursor).join() === cursorField)
  if (entries.length === 0 || 'states' in state || !isLegacy) return state
  return { states: entries.map(([value, cursor]) => ({ partition: { [partitionField]: value }, cursor })) }
}

type OwnPlan = Extract<MigrationPlan, { kind: 'custom' }>

async function byOwnClass(plan: OwnPlan, state: StreamState, tools: MigrationTools): Promise<StreamState> {
  const migration = await instantiate(plan, StateMigration, tools)
  if (!runCustom(plan, () => migration.shouldMigrate(state))) return state
  const migrated: unknown = runCustom(plan, () => migration.migrate(state))
  if (isObject(migrated)) return migrated
  const message = `\`${plan.className}\` gives ${describeKind(migrated)} for a state, not an object.`
  throw new ConnectorError('custom/class-failed', message, { at: plan.at })
}

/**
 * Extend this in `source_<name>/<package>.ts` next to the manifest. It turns a state that an older version of the
 * connector wrote into one that its streams understand.
 *
 * ```ts
 * export class RenamedCursor extends StateMigration {
 *   shouldMigrate(state: StreamState) {
 *     return 'modified' in state
 *   }
 *   migrate({ modified }: StreamState) {
 *     return { updated_at: modified }
 *   }
 * }
 * ```
 */
export abstract class StateMigration extends CustomComponent {
  abstract shouldMigrate(state: StreamState): boolean
  /** The state given is not to be changed. */
  abstract migrate(state: StreamState): StreamState
}
