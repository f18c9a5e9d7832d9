/** What was detected, written into the manifest as one edit: the paginator, and where the records are. */
import { applyChanges, type Change, changesBetween, detach } from '../../document/edit-resolved.ts'
import { follow } from '../../document/follow.ts'
import { openDocument } from '../../document/open-document.ts'
import type { Path } from '../../document/value-path.ts'
import { withFixedQuery } from '../../from-request/address.ts'
import { onFirstRequest } from '../../from-request/first-request.ts'
import { isObject, type Members } from '../../std/values/objects.ts'
import type { Candidate } from '../../server/wire/detection.ts'
import { placesOf, withoutFixed } from './without-fixed.ts'

export type CandidatePaths = { readonly paginatorAt: Path; readonly selectorAt: Path }

/** What other streams use as well stays theirs. */
export function withCandidate(
  text: string,
  { paginatorAt, selectorAt }: CandidatePaths,
  candidate: Pick<Candidate, 'paginator' | 'template' | 'firstOnly' | 'without'>,
  recordPath: readonly string[] | null,
): string {
  const requesterAt = [...selectorAt.slice(0, -1), 'requester']
  const { paginator, template, firstOnly = [] } = candidate
  const asked = write(text, requesterAt, (requester) => {
    if (!isObject(requester)) return []
    const freed = onFirstOnly(withoutFixed(requester, placesOf(candidate)), firstOnly)
    return changesBetween(requesterAt, requester, template === undefined ? freed : withTemplate(freed, template))
  })
  const paged = write(asked, paginatorAt, (before) => changesBetween(paginatorAt, before, paginator ?? undefined))
  const extractorAt = [...selectorAt, 'extractor']
  return recordPath === null
    ? paged
    : write(paged, extractorAt, (before) => pathChanges(extractorAt, before, recordPath))
}

function onFirstOnly(requester: Members, names: readonly string[]): Members {
  const before = requester.request_parameters
  if (!isObject(before) || names.length === 0) return requester
  const isOpen = (name: string, value: unknown): value is string | number | boolean =>
    names.includes(name) && !isObject(value) && !String(value).includes('next_page_token')
  const after = Object.entries(before).map(([name, value]) => [
    name,
    isOpen(name, value) ? onFirstRequest(String(value)) : value,
  ])
  return { ...requester, request_parameters: Object.fromEntries(after) }
}

/** The request puts the token where no option of a paginator can. */
function withTemplate(requester: Members, template: NonNullable<Candidate['template']>): Members {
  switch (template.into) {
    case 'path':
      return withPath(requester, template)
    case 'request_parameter':
      return withParameter(requester, template)
    case 'request_parameters':
      return withParameters(requester, template)
  }
}

type Template<Into extends string> = Extract<NonNullable<Candidate['template']>, { into: Into }>

function withPath(requester: Members, { fromEnd, text }: Template<'path'>): Members {
  const parts = typeof requester.path === 'string' ? requester.path.split('/') : []
  const at = parts.length - 1 - fromEnd
  return at < 0 ? requester : { ...requester, path: parts.with(at, text).join('/') }
}

function withParameter(requester: Members, { name, text }: Template<'request_parameter'>): Members {
  const before = isObject(requester.request_parameters) ? requester.request_parameters : {}
  return { ...requester, request_parameters: { ...before, [name]: text } }
}

/** The template gives the whole query: what is fixed in it becomes part of the path. */
function withParameters(requester: Members, { names, text }: Template<'request_parameters'>): Members {
  const before = isObject(requester.request_parameters) ? requester.request_parameters : {}
  const fixed = Object.entries(before)
    .filter(([name]) => !names.includes(name))
    .map(([name, value]): [string, string] => [name, typeof value === 'string' ? value : JSON.stringify(value)])
  const path = typeof requester.path === 'string' ? requester.path : ''
  return { ...requester, path: withFixedQuery(path, fixed), request_parameters: text }
}

function write(text: string, at: Path, changesOf: (before: unknown) => readonly Change[]): string {
  const changes = changesOf(follow(openDocument(text).value, at).value)
  return changes.length === 0 ? text : applyChanges(detach(text, at), changes)
}

/** A list of names that is as detected stays as it is written. A class of the connector's own is left alone. */
function pathChanges(at: Path, extractor: unknown, path: readonly string[]): readonly Change[] {
  const isByPath = isObject(extractor) && (extractor.type === undefined || extractor.type === 'DpathExtractor')
  if (extractor !== undefined && !isByPath) return []
  const before = isByPath ? extractor.field_path : undefined
  if (JSON.stringify(before) === JSON.stringify(path)) return []
  if (extractor === undefined) return [{ at, value: { type: 'DpathExtractor', field_path: [...path] } }]
  return [{ at: [...at, 'field_path'], value: [...path] }]
}
