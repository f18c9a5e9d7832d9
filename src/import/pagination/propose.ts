/**
 * Parameters, what is next to the list, and headers of a described endpoint → how its pages probably follow each other.
 * A proposal never sets the page size of a strategy: it would stop at the first page that is shorter, and an API that gives
 * fewer records than it is asked for would lose the rest. Without it, the read ends at an empty page.
 */
import { headerMeaningsOf, meaningsOf, type NameMeaning } from '../../proof/names/claim-names.ts'
import type { Candidate } from '../../proof/detection/detection.ts'
import { optionOf, pointerTemplate, responseAt, templateFor, templateString } from '../../proof/detection/paginator.ts'
import type { Slot } from '../../proof/detection/probe-request.ts'
import { plainName } from '../../proof/names/name-style.ts'
import { rankOf } from '../../proof/names/paging-names.ts'
import type { Members } from '../../std/values/objects.ts'
import type { DescribedField, DescribedParameter, ListEndpoint, NamedText } from '../description.ts'
import { sizeToSend } from './page-size.ts'
import { best, firstPage, isCursor, isOffset, isPage, isSize, movers } from './paging-parameters.ts'

export type PagingProposal = {
  readonly method: Candidate['method']
  /** `Page number from 1 in the query parameter page` */
  readonly says: string
  /** What of the description shows it. */
  readonly because: string
  readonly paginator: Members | null
  /** How many records a page is to have: sent with every request. */
  readonly size: { readonly parameter: DescribedParameter; readonly value: number } | null
  /** A template for a parameter that no option of a paginator can send. */
  readonly templated: NamedText | null
  /** Parameters that the paginator sends: their defaults are not sent with it. */
  readonly sends: readonly string[]
}

type Question = {
  readonly parameters: readonly DescribedParameter[]
  readonly envelope: readonly DescribedField[]
  readonly endpoint: ListEndpoint
  readonly key: string | null
}

export function proposePaging(endpoint: ListEndpoint, key: string | null): PagingProposal {
  // Some descriptions list what belongs into the body of a search with the query, too.
  const parameters = [
    ...endpoint.parameters.filter(({ in: place }) => place === 'body'),
    ...endpoint.parameters.filter(({ in: place }) => place !== 'path' && place !== 'body'),
  ]
  const question: Question = { parameters, envelope: endpoint.list.envelope, endpoint, key }
  const found =
    byLinkHeader(question) ??
    byNextUrl(question) ??
    byToken(question) ??
    byHeaderToken(question) ??
    byLastRecord(question) ??
    byPageNumber(question) ??
    byOffset(question) ??
    none(question)
  const sends = found.paginator === null ? [] : movers(parameters)
  const sized = parameters.find((one) => isSize(one) && !sends.includes(one.name))
  const value = sized === undefined ? null : sizeToSend(sized)
  const size = sized === undefined || value === null ? null : { parameter: sized, value }
  return { ...found, templated: found.templated ?? null, sends, size }
}

type Found = Pick<PagingProposal, 'method' | 'says' | 'because' | 'paginator'> & { readonly templated?: NamedText }

function byLinkHeader({ endpoint, parameters }: Question): Found | null {
  const header = endpoint.responseHeaders.find(({ name }) => /^link$/i.test(name))
  const asked = parameters.some((one) => isPage(one) || isOffset(one) || isCursor(one))
  const words = [endpoint.words, ...parameters.map((one) => one.words)].join('\n')
  const isSaid = asked && /\blink[- ]headers?\b|`Link`|rel=\\?"next/i.test(words)
  // Links lead to other things, too.
  const isAboutPages =
    header !== undefined && (asked || header.words === '' || /next|pag(e|ing|inat)/i.test(header.words))
  if (!isAboutPages && !isSaid) return null
  return {
    method: 'link-header',
    says: 'The next URL is in the Link header',
    because: header === undefined ? 'the description mentions the Link header' : 'the response has the header Link',
    paginator: paginatorWith(
      {
        cursor_value: "{{ headers['link']['next']['url'] }}",
        stop_condition: "{{ 'next' not in headers['link'] }}",
      },
      { type: 'RequestPath' },
    ),
  }
}

function byNextUrl({ envelope, parameters }: Question): Found | null {
  const field = envelope.find((one) => isNextUrl(one, parameters))
  if (field === undefined) return null
  const at = field.path.join('.')
  const kind = { kind: 'next-url', from: 'body', value: null, score: 0 } as const
  return {
    method: 'next-url',
    says: `The next URL is in ${field.inList === undefined ? at : `the link "next" of ${field.path.slice(0, -1).join('.')}`}`,
    because: `the response has ${at}`,
    paginator: paginatorWith(
      {
        cursor_value: `{{ ${pointerTemplate({ ...kind, path: field.path, ...(field.inList !== undefined && { inList: field.inList }) })} }}`,
      },
      { type: 'RequestPath' },
    ),
  }
}

function isNextUrl(
  { path, type, format, words, inList }: DescribedField,
  parameters: readonly DescribedParameter[],
): boolean {
  if (inList !== undefined) return true
  if (type !== 'string' && type !== null) return false
  const name = path.at(-1) ?? ''
  const holder = path.at(-2) ?? ''
  // `_links.next.href`
  if (/^(href|url|uri)$/i.test(name)) return hasMeaning(holder, 'next')
  if (!hasMeaning(name, 'next')) return false
  if (format === 'uri' || format === 'url' || format === 'uri-reference') return true
  if (/(url|uri|link|href)$/i.test(name)) return true
  if (/^_?links?$/i.test(holder)) return true
  if (/\b(urls?|uri|links?)\b/i.test(words) && !/token|cursor/i.test(words)) return true
  // `next` next to numbered pages, as Django writes it: a URL.
  return (
    plainName(name) === 'next' &&
    type === 'string' &&
    parameters.some((one) => isPage(one) || isOffset(one)) &&
    !parameters.some(isCursor)
  )
}

function hasMeaning(name: string, kind: NameMeaning['kind']): boolean {
  return meaningsOf(name).some((one) => one.kind === kind && one.clarity !== 'vague')
}

/** Names of tokens that do not begin with `next`. */
const tokenNames = new Set(
  `cursor endcursor aftercursor continuationtoken continuation pagetoken paginationtoken pagingtoken scrollid nextmarker bookmark
  cursorafter nextpagekey pagecursor nextpageid exclusivestartkey lastevaluatedkey`.split(/\s+/),
)

function byToken({ envelope, parameters, endpoint }: Question): Found | null {
  const cursors = parameters
    .filter(isCursor)
    .toSorted((one, other) => rankOf('cursor', one.name) - rankOf('cursor', other.name))
  const counted = parameters.filter((one) => isPage(one) || isOffset(one))
  const fields = envelope.filter(({ type }) => type !== 'boolean' && type !== 'object')
  for (const parameter of [...cursors, ...counted]) {
    const isNumber = counted.includes(parameter)
    const field =
      fields.find((one) => hasMeaning(lastOf(one), 'next') && (!isNumber || isOfCount(one, parameter))) ??
      (isNumber ? undefined : fields.find((one) => isTokenField(one, parameter)))
    if (field === undefined) continue
    const flag = envelope.find(({ path }) => hasMeaning(path.at(-1) ?? '', 'has-more'))
    return {
      method: 'cursor',
      says: `The value at ${field.path.join('.')} goes into ${placeOf(parameter)}`,
      because: `the response has ${field.path.join('.')}, and the request ${parameter.name}`,
      paginator: paginatorWith(
        {
          cursor_value: `{{ ${responseAt(field.path)} }}`,
          ...(flag !== undefined && { stop_condition: `{{ ${saysNoMore(flag)} }}` }),
        },
        optionOf(slotOf(parameter, endpoint)),
      ),
    }
  }
  return null
}

/** `next_page` goes into `page`, `next_offset` into `offset`; of the same type. */
function isOfCount({ path, type }: DescribedField, parameter: DescribedParameter): boolean {
  const name = plainName(path.at(-1) ?? '')
  const wanted = isPage(parameter)
    ? /^next(page|pageno|pagenumber|pageindex)?$/
    : /^next(offset|start|skip|startindex|startat)?$/
  // A page that is a text is a token by another name.
  return (
    wanted.test(name) && (type === 'integer' || type === 'number' || (type === 'string' && parameter.type === 'string'))
  )
}

function isTokenField({ path, type }: DescribedField, { name }: DescribedParameter): boolean {
  if (type === 'integer' && !/cursor|id|key/i.test(name)) return false
  const own = plainName(path.at(-1) ?? '')
  if (own === plainName(name)) return !/^(previous|prev|before)/.test(own)
  return tokenNames.has(own) || (/^cursors?$/.test(plainName(path.at(-2) ?? '')) && /^(after|next)$/.test(own))
}

function byHeaderToken({ endpoint, parameters }: Question): Found | null {
  const parameter = parameters.find(isCursor) ?? parameters.find(isPage)
  const header = endpoint.responseHeaders.find(({ name }) => headerMeaningsOf(name).some(({ kind }) => kind === 'next'))
  if (parameter === undefined || header === undefined) return null
  return {
    method: 'cursor',
    says: `The header ${header.name} goes into ${placeOf(parameter)}`,
    because: `the response has the header ${header.name}, and the request ${parameter.name}`,
    paginator: paginatorWith(
      { cursor_value: `{{ headers.get(${templateString(header.name.toLowerCase())}) }}` },
      optionOf(slotOf(parameter, endpoint)),
    ),
  }
}

/** Only a flag that is there and false ends the read: a description may promise a flag that is never sent. */
function saysNoMore({ path }: DescribedField): string {
  return `${path.length === 1 ? responseAt(path) : `(${responseAt(path)})`} == false`
}

/** `starting_after` and `has_more`: the key of the last record asks for what follows it. */
function byLastRecord({ envelope, parameters, key, endpoint }: Question): Found | null {
  const flag = envelope.find(({ path, type }) => hasMeaning(path.at(-1) ?? '', 'has-more') && type !== 'integer')
  const parameter = parameters.find(({ name }) => /^(starting_?after|start_?after|after_?id|after)$/i.test(name))
  if (flag === undefined || parameter === undefined || key === null) return null
  return {
    method: 'start-after',
    says: `The ${key} of the last record goes into ${placeOf(parameter)}`,
    because: `the request has ${parameter.name}, and the response ${flag.path.join('.')}`,
    paginator: paginatorWith(
      {
        cursor_value: `{{ last_record[${templateString(key)}] }}`,
        stop_condition: `{{ ${saysNoMore(flag)} or last_page_size == 0 }}`,
      },
      optionOf(slotOf(parameter, endpoint)),
    ),
  }
}

function byPageNumber({ parameters, endpoint }: Question): Found | null {
  const parameter = best(parameters.filter(isPage), 'page')
  if (parameter === undefined) return null
  const first = firstPage(parameter)
  return {
    method: 'page',
    says: `Page number from ${first} in ${placeOf(parameter)}`,
    because: `the request has ${parameter.name}`,
    paginator: {
      type: 'DefaultPaginator',
      pagination_strategy: { type: 'PageIncrement', start_from_page: first, inject_on_first_request: true },
      page_token_option: optionOf(slotOf(parameter, endpoint)),
    },
  }
}

function byOffset({ parameters, endpoint }: Question): Found | null {
  const parameter = best(parameters.filter(isOffset), 'offset')
  if (parameter === undefined) return null
  const isFromOne =
    parameter.in === 'query' &&
    (parameter.fallback === 1 || parameter.minimum === 1 || /\b1[- ]based\b/i.test(parameter.words))
  const template = isFromOne ? templateFor(slotOf(parameter, endpoint), true) : null
  const isTemplated = template !== null && template.into === 'request_parameter'
  return {
    method: 'offset',
    says: `Offset ${isFromOne ? 'from 1 ' : ''}in ${placeOf(parameter)}`,
    because: `the request has ${parameter.name}`,
    paginator: {
      type: 'DefaultPaginator',
      pagination_strategy: { type: 'OffsetIncrement' },
      ...(!isTemplated && { page_token_option: optionOf(slotOf(parameter, endpoint)) }),
    },
    ...(isTemplated && { templated: [template.name, template.text] }),
  }
}

function none(question: Question): Found {
  return { method: 'none', says: 'No pagination', because: whyNone(question), paginator: null }
}

function whyNone({ parameters, envelope }: Question): string {
  const cursor = parameters.find(isCursor)
  if (cursor !== undefined)
    return `the request has ${cursor.name}, and the description does not say where its next value is`
  const next = envelope.find((one) => hasMeaning(lastOf(one), 'next') || hasMeaning(lastOf(one), 'has-more'))
  if (next !== undefined)
    return `the response has ${next.path.join('.')}, and the description does not say what to send for it`
  const size = parameters.find(isSize)
  if (size !== undefined) return `the request has ${size.name}, and nothing asks for a next page`
  return 'no parameter asks for a page'
}

function paginatorWith(strategy: Members, option: Members): Members {
  return {
    type: 'DefaultPaginator',
    pagination_strategy: { type: 'CursorPagination', ...strategy },
    page_token_option: option,
  }
}

const lastOf = ({ path }: DescribedField) => path.at(-1) ?? ''

function slotOf({ name, in: place }: DescribedParameter, { bodyKind }: ListEndpoint): Slot {
  const inBody = bodyKind === 'form' ? 'body_data' : 'body_json'
  return { into: place === 'header' ? 'header' : place === 'body' ? inBody : 'request_parameter', path: [name] }
}

function placeOf({ name, in: place }: DescribedParameter): string {
  if (place === 'header') return `the header ${name}`
  return place === 'body' ? `the body at ${name}` : `the query parameter ${name}`
}
