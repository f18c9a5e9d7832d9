/** The objects made of a stream's own classes, found by the plan that names each. */
import { type CustomBase, type CustomComponent, type CustomPlan, instantiate } from './component.ts'

export type Instances = ReadonlyMap<CustomPlan, CustomComponent>

/** Which class a place of the manifest asks for, and what it has to extend. */
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
