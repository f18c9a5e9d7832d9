/** The package folder → the docs as files, the scripts of their pages, and when each was last changed. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

export type DocFile = {
  /** Within docs/, without its ending: `sync`, `decisions/README`. */
  readonly path: string
  readonly text: string
  /** `2026-11-16`. */
  readonly changedOn: string
}

export type SiteFiles = {
  readonly docs: readonly DocFile[]
  /** Files of dist/site/ by name: scripts for browsers. */
  readonly scripts: ReadonlyMap<string, string>
  /** Files of docs/pictures/ by name. */
  readonly pictures: ReadonlyMap<string, Buffer>
  /** The index for search as the build made it; null where a page has changed since. */
  readonly search: string | null
  /** When the homepage was last changed; undefined where the build did not know. */
  readonly homepageChangedOn: string | undefined
}

/** As the build writes it: an installed package has neither a history nor the dates of its files. */
type Dates = {
  readonly homepage?: string
  readonly docs: Readonly<Record<string, { readonly hash: string; readonly changedOn: string }>>
}

const noDates: Dates = { docs: {} }

/** @param folder with package.json, docs/ and dist/. */
export function readSiteFiles(folder: string): SiteFiles {
  const built = join(folder, 'dist/site')
  const datesFile = join(built, 'dates.json')
  const dates: Dates = existsSync(datesFile) ? (JSON.parse(readFileSync(datesFile, 'utf8')) as Dates) : noDates
  const scripts = readdirSync(built).filter((name) => name.endsWith('.js'))
  const docs = readDocs(join(folder, 'docs'), dates)
  const pictures = readdirSync(join(folder, 'docs/pictures')).filter((name) => name.endsWith('.webp'))
  const isCurrent =
    docs.length === Object.keys(dates.docs).length &&
    docs.every((doc) => dates.docs[doc.path]?.hash === hashOf(doc.text))
  return {
    docs,
    pictures: new Map(pictures.map((name) => [name, readFileSync(join(folder, 'docs/pictures', name))])),
    search: isCurrent ? readFileSync(join(built, 'search.json'), 'utf8') : null,
    scripts: new Map(scripts.map((name) => [name, readFileSync(join(built, name), 'utf8')])),
    homepageChangedOn: dates.homepage,
  }
}

export function readDocs(folder: string, dates = noDates): DocFile[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'))
  return names.toSorted().map((name) => {
    const file = join(folder, name)
    const text = readFileSync(file, 'utf8')
    const path = name.replaceAll('\\', '/').slice(0, -'.md'.length)
    const known = dates.docs[path]
    // A page edited after the build has the date of its file.
    const isKnown = known !== undefined && known.hash === hashOf(text)
    return { path, text, changedOn: isKnown ? known.changedOn : statSync(file).mtime.toISOString().slice(0, 10) }
  })
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
