/** The odd answers: what an API sends in place of a page. */
import type { Answer } from '../../helpers/serve-api.ts'
import { type Method, size } from './methods.ts'

export type OddAnswer = {
  readonly name: string
  /** In place of the expected page; null where the method has no such response. */
  readonly answer: (usual: Answer, method: Method) => Answer | null
}

const json =
  (value: unknown, status = 200): OddAnswer['answer'] =>
  () => ({ status, json: value })
const bare =
  (status: number, headers: Record<string, string> = {}): OddAnswer['answer'] =>
  () => ({ status, headers, text: '' })

/** The body with its list under another name, or with something else in its place. */
function withList(change: (holder: Record<string, unknown>, name: string) => void): OddAnswer['answer'] {
  return (usual, { list }) => {
    if (list.length === 0) return null
    const body = structuredClone(usual.json) as Record<string, unknown>
    const above = list.slice(0, -1).reduce((holder, name) => holder[name] as Record<string, unknown>, body)
    change(above, list.at(-1) as string)
    return { ...usual, json: body }
  }
}

export const oddAnswers: readonly OddAnswer[] = [
  { name: '200, empty body', answer: bare(200) },
  { name: '200, `null`', answer: json(null) },
  { name: '`{"error": "…"}`', answer: json({ error: 'quota exceeded' }) },
  { name: '`{"error": {…}}`', answer: json({ error: { code: 42, message: 'quota exceeded' } }) },
  { name: '`{"errors": […]}`', answer: json({ errors: [{ message: 'quota exceeded' }] }) },
  {
    name: '`{"errors": […], "data": {"x": null}}`',
    answer: json({ errors: [{ message: 'slow down' }], data: { items: null } }),
  },
  { name: '`{"data": {"x": null}}`', answer: json({ data: { items: null } }) },
  { name: '`{"status": "error", …}`', answer: json({ status: 'error', message: 'try later' }) },
  { name: '`{"code": 429, …}`', answer: json({ code: 429, message: 'try later' }) },
  { name: '`{"success": false}`', answer: json({ success: false, data: null }) },
  { name: '`"Service unavailable"`', answer: json('Service unavailable') },
  { name: 'Service unavailable, as text', answer: () => ({ text: 'Service unavailable' }) },
  { name: 'an HTML page', answer: () => ({ text: '<!doctype html><title>Maintenance</title>' }) },
  { name: 'a lone `message`', answer: json({ message: 'Nothing here' }) },
  { name: '`{}`', answer: json({}) },
  { name: '`[]`', answer: json([]) },
  { name: '`data: null`', answer: withList((holder, name) => void (holder[name] = null)) },
  {
    name: '`data: null`, alone',
    answer: (_, { list: [first] }) => (first === undefined ? null : { json: { [first]: null } }),
  },
  {
    name: 'a renamed list',
    answer: withList((holder, name) => {
      holder.things = holder[name]
      delete holder[name]
    }),
  },
  {
    name: 'an error in the list',
    answer: withList((holder, name) => void (holder[name] = [{ error: 'quota exceeded' }])),
  },
  { name: 'a list of `{}`', answer: withList((holder, name) => void (holder[name] = [{}, {}])) },
  { name: 'a map in place of the list', answer: withList((holder, name) => void (holder[name] = { a: { id: 1 } })) },
  { name: 'a string in place of the list', answer: withList((holder, name) => void (holder[name] = 'unavailable')) },
  { name: '202, empty body', answer: bare(202) },
  { name: '204', answer: bare(204) },
  { name: '206, half a list', answer: (usual) => ({ ...usual, status: 206, json: halved(usual.json) }) },
  { name: '302 without Location', answer: bare(302) },
  { name: '304', answer: bare(304) },
]

/** Half of each list of rows. */
function halved(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, size / 2)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, halved(member)]))
}
