/** The names that a template can use, with their values, for completion. */
import type { z } from 'zod'
import { allFilters } from '../../engine/template/filters/all-filters.ts'
import { globals } from '../../engine/template/globals.ts'
import { repr } from '../../engine/template/values/python-text.ts'
import type { Value } from '../../engine/template/values/value.ts'
import { isList, isObject } from '../../std/values/objects.ts'
import type { Captures } from '../test-reads/captures.ts'
import type { TemplateContext, templateContextRequest } from '../wire/evaluation.ts'
import { cutValue } from './cut-value.ts'
import { pythonType, inputsFor, templateScope } from './evaluate-on-page.ts'

type Request = z.output<typeof templateContextRequest>
type Name = TemplateContext['names'][number]

const inRequests = ['parameters', 'next_page_token', 'stream_slice', 'stream_partition', 'stream_interval']

const offered: Readonly<Record<Request['place'], readonly string[]>> = {
  request: ['config', ...inRequests],
  pagination: [
    'config',
    'response',
    'headers',
    'last_record',
    'last_records',
    'last_page_size',
    'page_size',
    'parameters',
  ],
  record: ['record', 'config', 'parameters', 'stream_slice', 'stream_partition', 'stream_interval'],
  error: ['config', 'response', 'headers'],
}

const most = { names: 500, depth: 4, sample: 60 }

export function templateNames(request: Request, captures: Captures): TemplateContext {
  const { captured, config, redactor } = inputsFor(request, captures)
  const scope = templateScope(captured, config)
  const names: Name[] = []
  const add = (name: string, value: unknown, depth: number): void => {
    if (names.length >= most.names) return
    const sample = value === undefined ? '' : sampleOf(redactor.value(cutValue(value as Value, most.sample).value))
    names.push({ name, type: value === undefined ? '' : pythonType(value), sample: redactor.text(sample) })
    if (depth < most.depth) for (const [key, member] of membersOf(value)) add(accessOf(name, key), member, depth + 1)
  }
  for (const name of offered[request.place]) add(name, scope[aliases[name] ?? name], 1)
  return { names, functions: [...globals.keys()].toSorted(), filters: [...allFilters().keys()].toSorted() }
}

const aliases: Partial<Record<string, string>> = { stream_partition: 'stream_slice', stream_interval: 'stream_slice' }

function sampleOf(value: unknown): string {
  const text = repr(value as Value)
  return text.length > most.sample ? `${text.slice(0, most.sample)}…` : text
}

/** Of a list, the first item. */
function membersOf(value: unknown): (readonly [string | number, unknown])[] {
  if (isList(value)) return value.length === 0 ? [] : [[0, value[0]]]
  const holder = isObject(value) && isObject(value.entries) && 'toJSON' in value ? value.entries : value
  return isObject(holder) && Object.getPrototypeOf(holder) !== Map.prototype ? Object.entries(holder) : []
}

function accessOf(holder: string, key: string | number): string {
  if (typeof key === 'number') return `${holder}[${key}]`
  const isPlain = /^[A-Za-z_]\w*$/.test(key) && holder !== 'config' && !methods.has(key)
  return isPlain ? `${holder}.${key}` : `${holder}['${key.replaceAll(/['\\]/g, (sign) => `\\${sign}`)}']`
}

/** Methods of a dict. */
const methods = new Set([
  'clear',
  'copy',
  'fromkeys',
  'get',
  'items',
  'keys',
  'pop',
  'popitem',
  'setdefault',
  'update',
  'values',
])
