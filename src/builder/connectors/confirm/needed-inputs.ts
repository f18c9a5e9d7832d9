/** The inputs that a manifest asks for before anything can be requested. */
import { openDocument } from '../../../document/open-document.ts'
import { valueAt } from '../../../document/value-path.ts'
import { isObject } from '../../../std/values/objects.ts'

export type NeededInput = { readonly name: string; readonly title: string; readonly isSecret: boolean }

export function neededInputs(text: string): NeededInput[] {
  const spec = valueAt(openDocument(text).value, ['spec', 'connection_specification'])
  if (!isObject(spec) || !isObject(spec.properties) || !Array.isArray(spec.required)) return []
  const { properties } = spec
  return spec.required.flatMap((name: unknown) => {
    const about = typeof name === 'string' && isObject(properties[name]) ? properties[name] : {}
    if (typeof name !== 'string' || about.default !== undefined) return []
    const title = typeof about.title === 'string' ? about.title : name
    return [{ name, title, isSecret: about.airbyte_secret === true }]
  })
}
