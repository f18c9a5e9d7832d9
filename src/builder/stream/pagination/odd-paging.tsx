/** What a manifest says about paging that the form has no field for. It is named, and left alone. */
import { isObject } from '../../../std/values/objects.ts'
import type { StreamPlace } from '../../editor/use-streams.ts'
import { InYaml } from '../../fields/in-yaml.tsx'
import { useField } from '../../session/use-field.ts'
import { keysBeside, methodFacts, methodOf } from './methods.ts'

const ofPaginator = ['pagination_strategy', 'page_size_option', 'page_token_option']
const ofOption = ['inject_into', 'field_name', 'field_path']

export function OddPaging({ stream: { path }, paginator }: { stream: StreamPlace; paginator: unknown }) {
  const { value: reset } = useField([...path, 'retriever', 'pagination_reset'])
  const odd = [...(reset === undefined ? [] : ['pagination_reset']), ...oddKeys(paginator)]
  if (odd.length === 0) return null
  return (
    <InYaml
      what={odd.join(', ')}
      why={odd.length === 1 ? 'is set in the manifest too.' : 'are set in the manifest too.'}
    />
  )
}

function oddKeys(paginator: unknown): string[] {
  if (!isObject(paginator)) return []
  const { pagination_strategy: strategy, page_size_option: size, page_token_option: token } = paginator
  const method = methodOf(strategy)
  return [
    ...keysBeside(paginator, [...ofPaginator, 'url_base']),
    ...(method === null ? [] : keysBeside(strategy, methodFacts[method].keys)),
    ...keysBeside(size, ofOption),
    ...keysBeside(token, ofOption),
  ]
}
