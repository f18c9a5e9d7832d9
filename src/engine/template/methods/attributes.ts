/** A value and a name → the method or attribute Python's type has under it. */
import { AttributedDict, HeaderDict } from '../host.ts'
import { type Bytes, Tuple } from '../values/containers.ts'
import { Callable } from '../values/callable.ts'
import { asDict, type Dict } from '../values/dict.ts'
import { repr } from '../values/python-text.ts'
import { type ValueKind, kindOf, typeName } from '../values/kind.ts'
import { given, type Value } from '../values/value.ts'
import { dateAttribute, dateMethods, dateTimeMethods, spanMethods } from './date-methods.ts'
import { dictMethods } from './dict-methods.ts'
import { listMethods, setMethods, tupleMethods } from './list-methods.ts'
import { MethodArguments, type Method, type Methods, methods } from './method.ts'
import { floatMethods, intMethods, numberAttribute } from './number-methods.ts'
import { stringMethods } from './string-methods.ts'
import { stringShapeMethods } from './string-shape-methods.ts'

const bytesMethods = methods<Bytes>({
  decode: ['encoding? errors?', (self) => new TextDecoder().decode(self.octets)],
  hex: ['', (self) => Array.from(self.octets, (octet) => octet.toString(16).padStart(2, '0')).join('')],
})

const strMethods: Methods<string> = new Map([...stringMethods, ...stringShapeMethods])

const tables: Partial<Record<ValueKind, Methods<never>>> = {
  str: strMethods,
  list: listMethods,
  tuple: tupleMethods,
  set: setMethods,
  dict: dictMethods,
  bytes: bytesMethods,
  int: intMethods,
  bool: intMethods,
  float: floatMethods,
  datetime: dateTimeMethods,
  date: dateMethods,
  timedelta: spanMethods,
  duration: spanMethods,
}

/** Mappings of the host only read. */
const readingMethods = new Set(['get', 'keys', 'values', 'items'])

export function isDictMethod(name: string): boolean {
  return dictMethods.has(name)
}

export function methodOf(value: Value, name: string): Method<Value> | undefined {
  const kind = kindOf(value)
  if (kind === 'mapping') return readingMethods.has(name) ? onEntries(name) : undefined
  return tables[kind]?.get(name) as Method<Value> | undefined
}

/** A dict's method, applied to the entries of a host mapping. */
function onEntries(name: string): Method<Value> | undefined {
  const method = dictMethods.get(name)
  if (method === undefined) return undefined
  return {
    accepts: method.accepts,
    body: (self, args, run, call) => {
      const key = args.optional(0)
      // Headers are read by their own rules.
      if (self instanceof HeaderDict && name === 'get' && typeof key === 'string') {
        const held = self.keyOf(key)
        return held === null ? given(args.optional(1), null) : (self.entries[held] as Value)
      }
      return method.body(asDict(self) as Dict, args, run, call)
    },
  }
}

/** What `{{ x.items }}` prints, where `x.items()` was meant. */
function methodText(value: Value, name: string): string {
  if (!(value instanceof AttributedDict)) return `<built-in method ${name} of ${typeName(value)} object>`
  const type = Object.hasOwn(value.attributes, 'partition') ? 'StreamSlice' : 'Mapping'
  return `<bound method ${type}.${name} of ${repr(value)}>`
}

export function attributeOf(value: Value, name: string): Value | undefined {
  const method = methodOf(value, name)
  if (method !== undefined) {
    const text = () => methodText(value, name)
    return new Callable(
      name,
      method.accepts,
      (bound, run, call) => method.body(value, new MethodArguments(name, bound), run, call),
      text,
    )
  }
  if (value instanceof AttributedDict && Object.hasOwn(value.attributes, name)) return value.attributes[name] as Value
  if (value instanceof Tuple) return value.named(name)
  const attribute = numberAttribute(value, name)
  return attribute === undefined ? dateAttribute(value, name) : attribute
}
