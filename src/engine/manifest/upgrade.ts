/** Older spellings → today's, with a note that says what to write instead. */
import type { Problem } from '../../std/errors.ts'
import { isComponent, isData } from './components.ts'
import type { Places } from './places.ts'
import { problem } from './problem.ts'
import { isFilled, isObject, type TreeObject, mapList, mapObject, type Node } from './tree.ts'

/** Reads `inject_into: body` (documentation 1.7) as the kind of body that the stream sends, and older names of fields. */
export function upgradeSpellings(root: TreeObject, places: Places): { root: TreeObject; notes: Problem[] } {
  const notes: Problem[] = []
  // What a stream sends decides, so that one option may come out in two ways.
  const doneForJson = new Map<TreeObject, TreeObject>()
  const doneForForm = new Map<TreeObject, TreeObject>()

  const upgradeOption = (option: TreeObject, written: TreeObject, sendsForm: boolean): TreeObject => {
    const settled = withoutStrayPath(option, written, places, notes)
    if (settled.inject_into !== 'body') return settled
    const kind = sendsForm ? 'body_data' : 'body_json'
    const reason = sendsForm ? ', since the stream sends a form' : ''
    const message = `\`inject_into: body\` does not say which kind of body; it is read as \`${kind}\`${reason}.`
    const at = places.at(written, 'inject_into')
    notes.push(problem('manifest/older-spelling', 'note', message, at, `Write \`inject_into: ${kind}\`.`))
    return { ...settled, inject_into: kind }
  }

  const upgradeObject = (node: TreeObject, sendsForm: boolean): TreeObject => {
    const isForm = formSent(node) ?? sendsForm
    const done = isForm ? doneForForm : doneForJson
    const known = done.get(node)
    if (known !== undefined) return known
    const members = mapObject(node, (value, key) => (isData(node.type, key) ? value : upgrade(value, isForm)))
    const renamed = node.type === 'AsyncRetriever' ? withTodaysNames(members, node, places, notes) : members
    const upgraded = node.type === 'RequestOption' ? upgradeOption(members, node, isForm) : renamed
    done.set(node, keepPlace(node, upgraded))
    return upgraded
  }

  const upgrade = (value: unknown, sendsForm: boolean): unknown => {
    if (isObject(value)) return upgradeObject(value, sendsForm)
    if (!Array.isArray(value)) return value
    return keepPlace(
      value,
      mapList(value, (member) => upgrade(member, sendsForm)),
    )
  }

  const keepPlace = <N extends Node>(node: N, upgraded: N): N => {
    const origin = places.get(node)
    if (origin !== undefined) places.set(upgraded, origin)
    return upgraded
  }

  return { root: upgradeObject(root, false), notes }
}

/**
 * Parameters of a stream reach its request options too, where `field_path` (of the records) is taken for a place in
 * the body. Older manifests even have it written out, next to `name`, `path` or `primary_key`. Airbyte: fails on these.
 */
function withoutStrayPath(option: TreeObject, written: TreeObject, places: Places, notes: Problem[]): TreeObject {
  if (option.field_name === undefined || option.field_path === undefined) return option
  const isAuthors = places.wrote(written, 'field_path')
  if (isAuthors && !['name', 'path', 'primary_key'].some((name) => Object.hasOwn(option, name))) return option
  const { field_path: _, ...rest } = option
  if (isAuthors) {
    const message = '`field_path` next to `field_name` repeats a parameter of the stream; it is ignored.'
    const at = places.atKey(written, 'field_path')
    notes.push(problem('manifest/older-spelling', 'note', message, at, 'Remove `field_path` here.'))
  }
  return rest
}

/** Older name → today's, of what a job's downloads are found by. */
const jobFields = { url_requester: 'download_target_requester', urls_extractor: 'download_target_extractor' }

function withTodaysNames(retriever: TreeObject, written: TreeObject, places: Places, notes: Problem[]): TreeObject {
  let renamed = retriever
  for (const [older, today] of Object.entries(jobFields)) {
    if (!Object.hasOwn(renamed, older) || Object.hasOwn(renamed, today)) continue
    const { [older]: value, ...others } = renamed
    renamed = { ...others, [today]: value }
    const message = `\`${older}\` is called \`${today}\` today.`
    notes.push(problem('manifest/older-spelling', 'note', message, places.atKey(written, older), `Write \`${today}\`.`))
  }
  return renamed
}

/** Whether the stream or retriever sends a form; undefined for anything else, where what surrounds it decides. */
function formSent(node: TreeObject): boolean | undefined {
  const retriever = isComponent(node, 'DeclarativeStream') ? node.retriever : node
  if (!isComponent(retriever, 'SimpleRetriever')) return undefined
  const { requester } = retriever
  if (!isComponent(requester, 'HttpRequester')) return undefined
  return isFilled(requester.request_body_data) || isComponent(requester.request_body, 'RequestBodyUrlEncodedForm')
}
