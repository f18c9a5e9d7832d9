/** What templates of the open connector may use: config from its spec, and what the server knows besides. */
import { useMemo } from 'react'
import type { TemplateContextRequest } from '../../server/wire/evaluation.ts'
import type { ReadPage } from '../../server/wire/test-read.ts'
import { follow } from '../../document/follow.ts'
import type { Path } from '../../document/value-path.ts'
import { type Inputs, useInputs } from '../session/inputs.ts'
import { useSession } from '../session/use-session.tsx'
import { useReading, useSelectedPage } from '../test-reads/reading.ts'
import { membersOfPaths } from './members-of-paths.ts'
import { pageMembers } from './page-members.ts'
import { type Member, memberOf, type TemplateNames } from './template-names.ts'
import { useTemplateContext } from './use-template-context.ts'

/** Where in a manifest a template stands decides which names it has. */
export type TemplatePlace = TemplateContextRequest['place']

export function placeOfTemplate(path: Path): TemplatePlace {
  const has = (...names: string[]) => names.some((name) => path.includes(name))
  if (has('paginator')) return 'pagination'
  if (has('error_handler')) return 'error'
  return has('record_filter', 'transformations', 'record_selector') ? 'record' : 'request'
}

/** @param chosen the page they come from; the one that is looked at in the test panel when absent. */
export function useTemplateNames(place: TemplatePlace, chosen?: ReadPage | null): TemplateNames {
  const name = useSession((session) => session.name)
  const root = useSession(({ document }) => document.value)
  const inputs = useInputs(name)
  const read = useReading()?.id ?? null
  const selected = useSelectedPage()
  const page = chosen === undefined ? selected : chosen
  const context = useTemplateContext(
    place,
    page === null || read === null ? null : { read, slice: page.slice, page: page.page },
  )
  return useMemo(() => {
    // The page that is here says more than a few levels of it; the spec says which inputs there are.
    const here = new Map((page === null ? [] : pageMembers(page)).map((member) => [member.name, member]))
    here.set('config', configMember(root, inputs))
    const members = context === undefined ? [] : membersOfPaths(context.names)
    return {
      members: members.map((one) => here.get(one.name) ?? one),
      functions: context?.functions ?? [],
      filters: context?.filters ?? [],
    }
  }, [root, inputs, page, context])
}

type InputSpec = { readonly type?: unknown; readonly title?: unknown; readonly airbyte_secret?: unknown }

/** The inputs that the spec describes. Secrets show that they are there, and no more. */
function configMember(root: unknown, inputs: Inputs): Member {
  const { value } = follow(root, ['spec', 'connection_specification', 'properties'])
  const described = typeof value === 'object' && value !== null ? Object.entries(value) : []
  const members = described.map(([key, spec]: [string, InputSpec | null]): Member => {
    const { type, title, airbyte_secret: isSecret } = spec ?? {}
    if (isSecret === true) return { name: key, type: 'str', sample: 'secret' }
    if (Object.hasOwn(inputs, key)) return memberOf(key, inputs[key])
    return { name: key, type: pythonTypes[String(type)] ?? '', sample: typeof title === 'string' ? title : '' }
  })
  return { name: 'config', type: 'dict', sample: members.map((one) => one.name).join(', '), members: () => members }
}

const pythonTypes: Partial<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  array: 'list',
  object: 'dict',
}
