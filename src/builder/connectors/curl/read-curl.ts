/** A pasted cURL command → the request it makes, or why it cannot be read. */
import { addressParts, type GivenRequest, type Pair, parsePairs } from '../../../from-request/given-request.ts'
import { readBody } from './body.ts'
import { longOption, type OptionMeaning, shortOption, takesValue } from './options.ts'
import { shellWords } from './shell-words.ts'

export type CurlReading =
  | { readonly request: GivenRequest; readonly problem: null }
  | { readonly request: null; readonly problem: string }

type Asked = { readonly meaning: OptionMeaning; readonly value: string }

export function readCurl(text: string): CurlReading {
  const { words, unclosed } = shellWords(text)
  if (unclosed !== null) return refuse(`A quote is not closed: ${unclosed}. Copy the whole command.`)
  const start = words.findIndex((word) => /(^|[/\\])curl(\.exe)?$/i.test(word))
  if (start < 0) return refuse('This is not a cURL command: it should begin with curl.')
  return requestOf(optionsOf(words.slice(start + 1)))
}

function refuse(problem: string): CurlReading {
  return { request: null, problem }
}

function optionsOf(words: readonly string[]): Asked[] {
  const asked: Asked[] = []
  const rest = [...words]
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const [, name, joined] = /^--([\w.-]+)(?:=(.*))?$/s.exec(word) ?? []
    if (name !== undefined) {
      const meaning = longOption(name)
      asked.push({ meaning, value: takesValue(meaning) ? (joined ?? rest.shift() ?? '') : '' })
    } else if (/^-[^-]/.test(word)) asked.push(...shortOptions(word.slice(1), rest))
    else if (word !== '-' && word !== '--') asked.push({ meaning: 'url', value: word })
  }
  return asked
}

/** `-sSXPOST`: letters together, the last of them with its value joined or in the next word. */
function shortOptions(letters: string, rest: string[]): Asked[] {
  const asked: Asked[] = []
  for (let at = 0; at < letters.length; at += 1) {
    const meaning = shortOption(letters[at] as string)
    if (takesValue(meaning)) {
      const joined = letters.slice(at + 1)
      return [...asked, { meaning, value: joined === '' ? (rest.shift() ?? '') : joined }]
    }
    asked.push({ meaning, value: '' })
  }
  return asked
}

function requestOf(asked: readonly Asked[]): CurlReading {
  const valuesOf = (...meanings: OptionMeaning[]) =>
    asked.filter(({ meaning }) => meanings.includes(meaning)).map(({ value }) => value)
  const has = (meaning: OptionMeaning) => asked.some((one) => one.meaning === meaning)

  const [address, ...otherAddresses] = valuesOf('url')
  if (address === undefined) return refuse('The command has no URL.')
  const parts = addressParts(address)
  if (parts === null) return refuse('The URL is not an http or https URL.')

  const headers: Pair[] = valuesOf('header').flatMap(headerOf)
  for (const value of valuesOf('agent')) headers.push(['User-Agent', value])
  for (const value of valuesOf('cookie')) headers.push(['Cookie', value])
  for (const value of valuesOf('bearer')) headers.push(['Authorization', `Bearer ${value}`])

  const sent = asked.filter(({ meaning }) => /^(data|json)/.test(meaning))
  const { body, notes } = readBody(
    sent.map(({ meaning, value }) => ({ kind: meaning, value })),
    headers,
  )
  const isQuery = has('get')
  const moved = isQuery && body?.kind === 'form' ? body.pairs : []
  const given = valuesOf('method').at(-1)?.toUpperCase()
  return {
    problem: null,
    request: {
      method: given ?? (sent.length > 0 && !isQuery ? 'POST' : 'GET'),
      origin: parts.origin,
      path: parts.path,
      query: [...parts.query, ...moved, ...valuesOf('url-query').flatMap((text) => parsePairs(text))],
      headers,
      body: isQuery ? null : body,
      user: valuesOf('user').at(-1) ?? parts.user,
      notes: [
        ...notes,
        ...(otherAddresses.length > 0 ? ['Only the first URL was used.'] : []),
        ...(has('form') ? ['Form uploads (-F) were left out: a connector sends none.'] : []),
        ...(has('head') ? ['-I was ignored: it requests headers only, and the connector needs the body.'] : []),
      ],
    },
  }
}

function headerOf(line: string): Pair[] {
  const at = line.indexOf(':', line.startsWith(':') ? 1 : 0)
  // `X-Name;` sends an empty header and `X-Name:` none: neither says anything here.
  if (at <= 0) return []
  const value = line.slice(at + 1).trim()
  return value === '' ? [] : [[line.slice(0, at).trim(), value]]
}
