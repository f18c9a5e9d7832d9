/** A template of a cursor and a page → the places that the template reads in the answer, and which of them the answer lacks. */
import { valueAt } from '../../std/values/get-at.ts'
import { linksOf } from '../../engine/pagination/headers.ts'
import { type PlaceRead, placesReadBy } from '../../engine/template/syntax/places-read.ts'
import { isList } from '../../std/values/objects.ts'
import type { WalkedPage } from './walked-page.ts'

export type ReadPlaces = {
  /** Every place of the answer that the template reads. */
  readonly all: readonly PlaceRead[]
  readonly missing: readonly PlaceRead[]
}

/** Nothing is known about a page whose body was not kept. */
export function readPlaces(source: string, { answer }: Pick<WalkedPage, 'answer'>): ReadPlaces {
  const all = placesReadBy(source).filter(([root, ...names]) => isOfAnswer(root) && names.length > 0)
  return { all, missing: answer === null ? [] : all.filter((place) => !isThere(place, answer)) }
}

function isOfAnswer(root: string | undefined): boolean {
  return root === 'response' || root === 'headers'
}

function isThere([root, ...names]: PlaceRead, { body, headers }: NonNullable<WalkedPage['answer']>): boolean {
  const [header = '', ...inHeader] = names
  if (root !== 'headers') return valueAt(isList(body) ? body[0] : body, names) !== undefined
  const found = Object.entries(headers).find(([name]) => name.toLowerCase() === header.toLowerCase())?.[1]
  if (found === undefined || inHeader.length === 0) return found !== undefined
  return header.toLowerCase() === 'link' && valueAt(linksOf(found), inHeader) !== undefined
}

/** As an author writes it: `response.paging.next`. */
export function spelt([root = '', ...names]: PlaceRead): string {
  return names.reduce((text, name) => text + (/^[a-z_]\w*$/i.test(name) ? `.${name}` : `['${name}']`), root)
}
