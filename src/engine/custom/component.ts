/** Custom classes: what they have in common, whatever their role, and how they are loaded and run. */
import { ConnectorError, type SourceLocation } from '../../std/errors.ts'
import { atOnce, isThenable } from './check-returned.ts'
import { messageOf } from '../../std/text/message-of.ts'

/** Which class the manifest means, and the fields it gives it. */
export type CustomPlan = {
  /** For messages: `record extractor`. */
  readonly role: string
  readonly className: string
  readonly fields: Readonly<Record<string, unknown>>
  readonly at: SourceLocation
}

export type CustomOptions = {
  readonly config: Readonly<Record<string, unknown>>
  /** The fields of the component in the manifest, as written; `$parameters` among them. */
  readonly parameters: Readonly<Record<string, unknown>>
}

/** The base of the base classes: it keeps what its class was made with. */
export abstract class CustomComponent {
  protected readonly config: CustomOptions['config']
  protected readonly parameters: CustomOptions['parameters']

  constructor({ config, parameters }: CustomOptions) {
    this.config = config
    this.parameters = parameters
  }
}

export type CustomBase = abstract new (options: CustomOptions) => CustomComponent

/** Finds a custom class and checks that it extends `base`. */
export type LoadClass = <Base extends CustomBase>(
  plan: Pick<CustomPlan, 'role' | 'className' | 'at'>,
  base: Base,
) => Promise<Base>

/** Absent where custom code may not run. */
export type CustomTools = { readonly loadClass?: LoadClass }

/**
 * The custom object for this component of the manifest.
 *
 * @example const filter = await instantiate(plan.filter, RecordFilter, { config, loadClass })
 */
export async function instantiate<Base extends CustomBase>(
  plan: CustomPlan,
  base: Base,
  { config, loadClass }: CustomTools & Pick<CustomOptions, 'config'>,
): Promise<InstanceType<Base>> {
  const { className, fields, at } = plan
  if (loadClass === undefined) {
    throw new ConnectorError('plan/no-folder', `The ${plan.role} \`${className}\` needs the folder of its connector.`, {
      at,
    })
  }
  const loaded = await awaitCustom(plan, () => loadClass(plan, base))
  // The base class is abstract; what was loaded extends it.
  const Concrete = loaded as unknown as new (options: CustomOptions) => InstanceType<Base>
  return runCustom(plan, () => new Concrete({ config, parameters: fields }))
}

/** Errors of custom code name its class. For synchronous methods. */
export function runCustom<T>(plan: CustomPlan, run: () => T): T {
  try {
    return atOnce(run())
  } catch (cause) {
    throw customFailure(plan, cause)
  }
}

/** The same for asynchronous methods. */
export async function awaitCustom<T>(plan: CustomPlan, run: () => T | Promise<T>): Promise<T> {
  try {
    return await finished(run())
  } catch (cause) {
    throw customFailure(plan, cause)
  }
}

const waiting = new Set<() => void>()

function finished<T>(work: T | Promise<T>): T | Promise<T> {
  if (!isThenable(work)) return work
  return new Promise<T>((resolve, reject) => {
    const forget = () => waiting.delete(fail)
    const fail = () => {
      forget()
      reject(new Error('it waits for a promise that never settles'))
    }
    waiting.add(fail)
    work.then(resolve, reject).then(forget, forget)
  })
}

/**
 * Fails every method that is waited for, and returns how many: to be called when nothing is left that could end one, before the process ends in silence.
 */
export function failWaitingClasses(): number {
  const { size } = waiting
  for (const fail of waiting) fail()
  return size
}

function customFailure({ className, at }: CustomPlan, cause: unknown): ConnectorError {
  // An error of ours that the class threw stays as it is.
  if (cause instanceof ConnectorError) return cause
  const reason = messageOf(cause)
  return new ConnectorError('custom/class-failed', `\`${className}\` failed: ${reason}`, { at, cause })
}

export type Instances = ReadonlyMap<CustomPlan, CustomComponent>

/** The class that a component names, and the base class it has to extend. */
export type Wanted = readonly [plan: CustomPlan, base: CustomBase]

export async function instantiateAll(
  wanted: readonly Wanted[],
  tools: Parameters<typeof instantiate>[2],
): Promise<Instances> {
  const made = new Map<CustomPlan, CustomComponent>()
  // One after the other: the first fault in the order of the manifest is the one reported.
  for (const [plan, base] of wanted) made.set(plan, await instantiate(plan, base, tools))
  return made
}

/** The object made for this plan. */
export function instanceFor<Base extends CustomBase>(
  instances: Instances,
  plan: CustomPlan,
  base: Base,
): InstanceType<Base> {
  const made = instances.get(plan)
  if (made instanceof base) return made as InstanceType<Base>
  throw new Error(`\`${plan.className}\` was not made before it was needed.`)
}
