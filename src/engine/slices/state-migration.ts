/** The base class of a connector's own state migrations. */
import { CustomComponent } from '../custom/component.ts'
import type { StreamState } from './state.ts'

/**
 * Extend this in `source_<name>/<package>.ts` beside the manifest. It turns a state that an older version of the
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
