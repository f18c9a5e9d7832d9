/** The component types that Airbyte has and this version does not run: they are known, and refused by name. */
import { componentsWithin, type ComponentType, type FoundComponent } from './components.ts'

const notRun: ReadonlySet<string> = new Set<ComponentType>(['CustomIncrementalSync'])

/** Whether `type` names a component that Airbyte has and this version cannot run. */
function isUnsupported(type: unknown): type is ComponentType {
  return typeof type === 'string' && notRun.has(type)
}

/** Their types, each once. */
export function unsupportedTypesIn(node: unknown): string[] {
  return [...new Set(unsupportedIn(node).map(({ type }) => type))]
}

/** The components inside this node (itself included) that this version cannot run, in the order of the tree. */
export function unsupportedIn(node: unknown): FoundComponent[] {
  return componentsWithin(node).filter(({ type }) => isUnsupported(type))
}
