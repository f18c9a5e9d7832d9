/** The name of a member or header → what APIs usually mean by it. */
import { plainLetters } from '../../std/text/plain-letters.ts'
import { companionNames, positionNames } from './paging-names.ts'

/**
 * `clear`: has this meaning everywhere. `usual`: has it in an envelope, but may be a field of a thing (`total` of an
 * invoice, `next` of an article). `vague`: has it only next to other paging names, and may be the size of the page (`count`).
 */
type Clarity = 'clear' | 'usual' | 'vague'

export type NameMeaning = {
  readonly kind: 'total' | 'pages' | 'last-page' | 'has-more' | 'is-last' | 'next' | 'previous'
  readonly clarity: Clarity
}

// biome-ignore format: a table reads best by its rows
const names: readonly (readonly [NameMeaning['kind'], Clarity, string])[] = [
  ['total', 'clear', `totalcount totalresults totalresult totalrecords totalrecordcount totalitems totalitemcount totalelements
    totalentries totalhits totalrows totalrowcount totalsize totalobjects totalmatches totalmatched totalfound totalnumber
    totalavailable totalcounts odatacount inlinecount recordsfiltered nbhits numfound resultstotal itemstotal paginationtotal
    paginationtotalcount wptotal`],
  ['total', 'usual', 'total'],
  ['total', 'vague', 'count recordcount resultcount itemcount numresults found hits matched'],
  ['pages', 'clear', 'totalpages totalpagecount pagestotal pagecount pagescount numpages nbpages numberofpages wptotalpages paginationpagecount'],
  ['pages', 'vague', 'pages'],
  ['last-page', 'clear', 'lastpage lastpagenumber'],
  ['has-more', 'clear', `hasmore hasnext hasnextpage hasmoreitems hasmoreresults hasmorepages hasmorerecords hasmoredata
    hasmorerows moreresults moreitems morerecords moreavailable moreresultsavailable moreitemsincollection istruncated`],
  ['has-more', 'usual', 'more truncated'],
  ['is-last', 'clear', 'islast islastpage endofstream'],
  ['is-last', 'usual', 'last lastpage done'],
  ['next', 'clear', `nextpage nextpageurl nextpagelink nextpageuri nextpagepath nextpagetoken nextpagecursor nextpageid nextlink
    nexturl nexturi nexthref nextpath nextcursor nexttoken nextmarker nextoffset nextstart nextrecordsurl odatanextlink`],
  ['next', 'usual', 'next'],
  ['previous', 'clear', 'previouspage prevpage previouspageurl prevpageurl previouslink prevlink previousurl prevurl haspreviouspage'],
  ['previous', 'usual', 'previous prev'],
]

const meanings = new Map<string, NameMeaning[]>()
for (const [kind, clarity, spellings] of names) {
  for (const name of spellings.split(/\s+/)) meanings.set(name, [...(meanings.get(name) ?? []), { kind, clarity }])
}

/** A name may have two meanings; the type of the value decides: `last_page: 3`, `last_page: true`. */
export function meaningsOf(name: string): readonly NameMeaning[] {
  // OData 2 writes `__count` for the total; without its underscores it would be any count.
  if (name === '__count') return meanings.get('odatacount') ?? []
  return meanings.get(plainLetters(name)) ?? []
}

/** Headers say the same with an `X-` in front, and belong to no record. */
export function headerMeaningsOf(name: string): readonly NameMeaning[] {
  const found = meanings.get(plainLetters(name).replace(/^x/, '')) ?? []
  return found.filter(({ clarity }) => clarity === 'clear' || /^x-/i.test(name))
}

const envelopes = new Set(
  `meta metadata pagination paging paginate paginator pager page pages pageinfo pagecontext pagemetadata pagedetails links
  resultset resultinfo listinfo searchinfo responsemetadata additionaldata cursor cursors`.split(/\s+/),
)

/** They may hold claims about pages, or anything else: sums, messages, settings. */
const looseEnvelopes = new Set('info summary response result results hits list collection link'.split(' '))

/** Objects next to the records that hold claims about them. */
export function isEnvelope(name: string): boolean {
  return envelopes.has(plainLetters(name)) || isLooseEnvelope(name)
}

export function isLooseEnvelope(name: string): boolean {
  return looseEnvelopes.has(plainLetters(name))
}

/** Whether the names in an object show that it speaks about pages. */
export function speaksOfPages(members: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(members).some((name) => companionNames.has(plainLetters(name)))
}

/** Names of a single record, which an envelope does not have: its `total` is no count of records. */
export function isThing(members: Readonly<Record<string, unknown>>): boolean {
  return thingNames.some((name) => Object.hasOwn(members, name))
}

const thingNames = ['id', '_id', 'uuid', 'guid', 'currency', 'subtotal', 'amount', 'tax', 'price']

/** Which page an envelope says it is. */
export function pageNumberIn(members: Readonly<Record<string, unknown>>): unknown {
  const name = Object.keys(members).find((one) => positionNames.page.has(plainLetters(one)))
  return name === undefined ? undefined : members[name]
}
