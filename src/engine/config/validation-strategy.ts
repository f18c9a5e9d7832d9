/** The base class of a connector's own check of a value in the config. */
import { CustomComponent } from '../custom/component.ts'

/**
 * Extend this in `source_<name>/<package>.ts` beside the manifest. Throw an error whose message says what is wrong
 * with the value; it is shown to whoever filled in the config.
 *
 * ```ts
 * export class HttpsOnly extends ValidationStrategy {
 *   validate(value: unknown) {
 *     if (!String(value).startsWith('https://')) throw new Error('Use an https address.')
 *   }
 * }
 * ```
 */
export abstract class ValidationStrategy extends CustomComponent {
  abstract validate(value: unknown): void | Promise<void>
}
