/** A template of a cursor and a page → the places that the template reads in the answer, and which of them the answer lacks. */
import { linksOf } from '../../engine/pagination/headers.ts'
import { type PlaceRead, placesReadBy } from '../../engine/template/syntax/places-read.ts'
import { isList, isObject } from '../../members.ts'
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
  if (root !== 'headers') return memberAt(isList(body) ? body[0] : body, names) !== undefined
  const found = Object.entries(headers).find(([name]) => name.toLowerCase() === header.toLowerCase())?.[1]
  if (found === undefined || inHeader.length === 0) return found !== undefined
  return header.toLowerCase() === 'link' && memberAt(linksOf(found), inHeader) !== undefined
}

function memberAt(value: unknown, names: readonly string[]): unknown {
  return names.reduce<unknown>((holder, name) => {
    if (isList(holder)) return /^-?\d+$/.test(name) ? holder.at(Number(name)) : undefined
    return isObject(holder) && Object.hasOwn(holder, name) ? holder[name] : undefined
  }, value)
}
