/** The base class of a connector's own change of the config. */
import { CustomComponent } from '../custom/component.ts'
import type { Config } from '../plan/plan.ts'

/**
 * Extend this in `source_<name>/<package>.ts` beside the manifest. The config given is a copy: change it, or give back
 * another one.
 *
 * ```ts
 * export class SplitDomain extends ConfigTransformation {
 *   transform(config: Record<string, unknown>) {
 *     config.domain = String(config.url).split('/')[2]
 *   }
 * }
 * ```
 */
export abstract class ConfigTransformation extends CustomComponent {
  abstract transform(config: Record<string, unknown>): Config | void | Promise<Config | void>
}
