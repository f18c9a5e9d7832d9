/** The functions every template can call. */
import { dateFunctions, textArgument } from './date-functions.ts'
import { extreme } from './filters/sequence-filters.ts'
import { dictPairs } from './methods/dict-methods.ts'
import { spendText } from './meter.ts'
import { quotePlus } from './quote.ts'
import { failed, wrongType } from './trouble.ts'
import { type Call, Callable, callable, signature } from './values/callable.ts'
import { Namespace } from './values/containers.ts'
import { mapOf, mapSet } from './values/dict.ts'
import { iterate } from './values/iterate.ts'
import { given, type Value } from './values/value.ts'

/** `max(a, b, …)` or `max(list)` */
function extremeOf(name: string, direction: 1 | -1, { positional }: Call): Value {
  if (positional.length === 0) throw wrongType(`\`${name}\` needs at least one argument`)
  const values = positional.length === 1 ? iterate(positional[0] as Value, `\`${name}\``) : positional
  const found = extreme(values, direction)
  if (found === undefined) throw failed(`\`${name}\` of an empty list`)
  return found
}

/** `dict(pairs, key=value)` */
function dictFrom({ positional, named }: Call): Map<Value, Value> {
  const entries = mapOf(positional[0] === undefined ? [] : dictPairs(positional[0]))
  for (const [name, value] of named ?? []) mapSet(entries, name, value)
  return entries
}

function cycler({ positional }: Call): Value {
  if (positional.length === 0) throw failed('`cycler` needs at least one value')
  let position = 0
  const entries = new Map<Value, Value>()
  const show = () => entries.set('current', positional[position % positional.length] as Value)
  const next = callable('next', '', () => {
    const value = positional[position % positional.length] as Value
    position += 1
    show()
    return value
  })
  const reset = callable('reset', '', () => {
    position = 0
    show()
    return null
  })
  entries.set('next', next).set('reset', reset)
  show()
  return new Namespace(entries)
}

function joiner(separator: Value): Callable {
  let isFirst = true
  return new Callable(
    'joiner',
    signature(''),
    () => {
      const text = isFirst ? '' : separator
      isFirst = false
      return text
    },
    () => '<jinja2.utils.Joiner object>',
  )
}

const latin = 'lorem ipsum dolor sit amet consectetuer adipiscing elit sed diam nonummy nibh euismod tincidunt'

function lipsum(paragraphs: number, isHtml: boolean): string {
  spendText(Math.max(paragraphs, 0) * latin.length)
  const text = `${latin.charAt(0).toUpperCase()}${latin.slice(1)}.`
  return Array.from({ length: Math.max(paragraphs, 0) }, () => (isHtml ? `<p>${text}</p>` : text)).join(
    isHtml ? '\n' : '\n\n',
  )
}

const functions: readonly Callable[] = [
  ...dateFunctions,
  callable('max', '*', (_, __, call) => extremeOf('max', 1, call)),
  callable('min', '*', (_, __, call) => extremeOf('min', -1, call)),
  callable('sanitize_url', 'value', ([value]) => quotePlus(textArgument('sanitize_url', value))),
  callable('camel_case_to_snake_case', 'value', ([value]) =>
    textArgument('camel_case_to_snake_case', value)
      .replace(/(?<!^)(?=[A-Z])/g, '_')
      .toLowerCase(),
  ),
  callable('generate_uuid', '', (_, run) => run.uuid()),
  callable('dict', 'pairs? **', (_, __, call) => dictFrom(call)),
  callable('namespace', 'pairs? **', (_, __, call) => new Namespace(dictFrom(call))),
  callable('cycler', '*', (_, __, call) => cycler(call)),
  callable('joiner', 'sep?', ([separator]) => joiner(given(separator, ', '))),
  callable('lipsum', 'n? html? min? max?', ([count, html]) => lipsum(Number(count ?? 5), html !== false)),
]

export const globals: ReadonlyMap<string, Callable> = new Map(functions.map((made) => [made.name, made]))
