/**
 * `{{name}}` of a collection → its value, or an input where it has none or may be a secret. Until the manifest is written a marker
 * is in the place of an input, so that nothing takes it for a template.
 */
import { isInputName } from '../../engine/secrets/credential-names.ts'
import { addressParts, type Pair, parsePairs } from '../../from-request/given-request.ts'
import { isPlaceholder, isSecretValue, looksRandom } from '../../from-request/secret-words.ts'
import { ConnectorError } from '../../std/errors.ts'
import { isUrl } from '../../std/text/is-url.ts'
import { isList, isObject } from '../../std/values/objects.ts'
import type { DescribedInput } from '../description.ts'
import { configTemplate, inputNameOf, titleOfInput } from '../input-names.ts'

export type Variables = {
  /** Values in the place of names; markers where an input is needed. */
  readonly fill: (text: string) => string
  /** For people: values, and names without one. */
  readonly plain: (text: string) => string
  /** An address → its base, its path with parameters in braces, its query. */
  readonly split: (
    raw: string,
  ) => { readonly origin: string; readonly path: string; readonly query: readonly Pair[] } | null
  /** Markers → templates. */
  readonly templates: (text: string) => string
  readonly shown: (text: string) => string
  readonly isMarked: (text: string) => boolean
  readonly inputs: () => readonly DescribedInput[]
  readonly notes: () => readonly string[]
}

const braces = /\{\{([^{}]+)\}\}/g
/** Letters that no address and no header may have. */
const marker = /\u27e6([a-z\d_]+)\u27e7/g
const mostRounds = 5
/** No address and no body is longer; a variable with several that have several more would use up the memory. */
const mostCharacters = 100_000

export function openVariables(list: unknown): Variables {
  const values = new Map<string, string>()
  for (const one of isList(list) ? list : []) {
    if (isObject(one) && typeof one.key === 'string' && one.disabled !== true && typeof one.value === 'string')
      values.set(one.key, one.value)
  }
  const needed = new Map<string, { readonly name: string; readonly isSecret: boolean }>()

  function fill(text: string): string {
    let filled = text
    for (let round = 0; round < mostRounds && filled.includes('{{'); round++) {
      let left = mostCharacters
      filled = filled.replaceAll(braces, (_, name: string) => {
        const value = valueOf(name.trim())
        left -= value.length
        if (left < 0) throw tooLong(name.trim())
        return value
      })
    }
    return filled
  }

  function valueOf(name: string): string {
    const value = values.get(name)
    const isSecret = isInputName(name) || (value !== undefined && (isSecretValue(value) || looksRandom(value)))
    if (value !== undefined && value !== '' && !isSecret && !(isPlaceholder(value) && !value.startsWith('{{')))
      return value
    const input = inputNameOf(name.replace(/^\$/, 'dynamic_'))
    needed.set(input, { name, isSecret })
    return `\u27e6${input}\u27e7`
  }

  const templates = (text: string) => text.replaceAll(marker, (_, name: string) => configTemplate(name))

  function split(raw: string): ReturnType<Variables['split']> {
    const [address = '', search = ''] = raw.split('#')[0]?.split(/\?(.*)/s) ?? []
    const [, start = '', rest = ''] = /^((?:https?:\/\/)?(?:\{\{[^{}]*\}\}|[^/{}])*)(.*)$/s.exec(address.trim()) ?? []
    const base = fill(start)
    const [origin, before] = originOf(base)
    if (origin === null) return null
    const path = rest
      .split('/')
      .map((part) => {
        const whole = /^\{\{([^{}]+)\}\}$/.exec(part)?.[1]?.trim() ?? /^:([A-Za-z_][\w-]*)$/.exec(part)?.[1]
        // A part of the path that only a variable gives is a parameter: perhaps another list has its values.
        if (whole !== undefined && (part.startsWith(':') || isVarying(whole))) return `{${whole}}`
        return fill(part).replaceAll(marker, '{$1}')
      })
      .join('/')
    return {
      origin,
      path: `${before}${path}`,
      query: parsePairs(search).map(([name, value]) => [fill(name), fill(value)] as const),
    }
  }

  /** `users_id`, `orderId`: a thing, and not a version or an account of the address. */
  function isVarying(name: string): boolean {
    const value = values.get(name)
    return /id$|slug$|key$|name$|number$/i.test(name) || value === undefined || value === '' || /^\d{2,}$/.test(value)
  }

  return {
    fill,
    plain: (text) => fill(text).replaceAll(marker, '$1'),
    split,
    templates,
    shown: (text) => text.replaceAll(marker, '{$1}'),
    isMarked: (text) => text.includes('\u27e6'),
    inputs: () =>
      [...needed].map(([name, { isSecret }]) => ({ name, title: titleOfInput(name), isSecret, isRequired: true })),
    notes: () => {
      const names = [...needed.values()].filter(({ isSecret }) => !isSecret).map(({ name }) => `\`${name}\``)
      return names.length === 0 ? [] : [`Variables without a value became inputs: ${names.join(', ')}.`]
    },
  }
}

function tooLong(name: string): ConnectorError {
  const message = `This Postman collection cannot be read: its variable \`${name.slice(0, 80)}\` has too much text.`
  return new ConnectorError('import/too-large', message)
}

/** The address up to its path, and the path that a variable brought with it. A host that is an input stays as it is. */
function originOf(base: string): [origin: string | null, path: string] {
  const [, scheme = '', host = '', path = ''] = /^([a-z]+:\/\/)?([^/]*)(.*)$/is.exec(base) ?? []
  if (host === '') return [null, '']
  if (host.includes('\u27e6')) return [`${scheme}${host}`, path.replace(/\/+$/, '')]
  const parts = addressParts(base)
  return parts === null || !isUrl(parts.origin) ? [null, ''] : [parts.origin, parts.path.replace(/\/+$/, '')]
}
