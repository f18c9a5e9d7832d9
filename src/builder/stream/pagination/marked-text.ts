/** A request and the paging values in it → its lines in pieces, so that each value can be shown where it goes. */
import type { PagingMark, PreviewedRequest } from '../../../server/wire/inspection.ts'
import { queryDecode } from '../../../std/text/percent-decode.ts'
import { escapePattern } from '../../../std/text/escape-pattern.ts'

export type Piece = { readonly text: string; readonly mark: PagingMark | null }

export function urlPieces({ url, marks }: PreviewedRequest): Piece[] {
  const whole = marks.find(({ place }) => place === 'path')
  if (whole !== undefined) return [{ text: url, mark: whole }]
  const [address = '', ...queries] = url.split('?')
  const query = queries.join('?')
  if (query === '') return [plain(url)]
  const parameters = query.split('&').flatMap((parameter, index) => {
    const [name = '', ...values] = parameter.split('=')
    const mark = marks.find((one) => one.place === 'query' && one.name === queryDecode(name)) ?? null
    const lead = index === 0 ? '?' : '&'
    if (mark === null) return [plain(lead + shown(parameter))]
    return [plain(`${lead}${shown(name)}=`), { text: shown(values.join('=')), mark }]
  })
  return joined([plain(address), ...parameters])
}

/** The headers that paging fills; all others say nothing about pages. */
export function headerPieces({ headers, marks }: PreviewedRequest): Piece[][] {
  return Object.entries(headers).flatMap(([name, value]) => {
    const mark = marks.find((one) => one.place === 'header' && one.name.toLowerCase() === name.toLowerCase())
    return mark === undefined ? [] : [[plain(`${name}: `), { text: value, mark }]]
  })
}

/** Each value is searched after the last name of its path, JSON or form. */
export function bodyPieces({ body, marks }: PreviewedRequest): Piece[] {
  if (body === null) return []
  const spots = marks
    .filter(({ place }) => place === 'body')
    .flatMap((mark) => {
      const at = spotIn(body, mark)
      return at === null ? [] : [{ mark, ...at }]
    })
    .toSorted((one, other) => one.from - other.from)
  const pieces: Piece[] = []
  let done = 0
  for (const { mark, from, to } of spots) {
    if (from < done) continue
    pieces.push(plain(body.slice(done, from)), { text: body.slice(from, to), mark })
    done = to
  }
  return joined([...pieces, plain(body.slice(done))])
}

function spotIn(body: string, { name, value }: PagingMark): { from: number; to: number } | null {
  const last = escapePattern(name.split('.').at(-1) ?? name)
  const inJson = new RegExp(`"${last}"\\s*:\\s*`, 'u').exec(body)
  const inForm = new RegExp(`(?:^|&)${escapePattern(encodeURIComponent(name))}=`, 'u').exec(body)
  const found = inJson ?? inForm
  if (found === null) return null
  const from = found.index + found[0].length
  const length = /^(?:"(?:[^"\\]|\\.)*"|[^\s,&}\]]+)/u.exec(body.slice(from))?.[0].length ?? value.length
  return { from, to: from + length }
}

function plain(text: string): Piece {
  return { text, mark: null }
}

/** Neighbours without a mark become one, and empty ones go. */
function joined(pieces: readonly Piece[]): Piece[] {
  const result: Piece[] = []
  for (const piece of pieces) {
    const last = result.at(-1)
    if (piece.text === '') continue
    if (last !== undefined && last.mark === null && piece.mark === null)
      result[result.length - 1] = plain(last.text + piece.text)
    else result.push(piece)
  }
  return result
}

/** As people read it: `page[size]`, not `page%5Bsize%5D`. What would change the meaning stays encoded. */
function shown(text: string): string {
  const readable = queryDecode(text)
  return /[\s&=#+%]/u.test(readable) ? text : readable
}
