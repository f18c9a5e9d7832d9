/** Search over the documentation, with the index that the build makes for the site. */
import { readFile } from 'node:fs/promises'
import MiniSearch from 'minisearch'
import { type SearchedPart, searchOptions } from '../../site/docs/search-options.ts'
import { json } from '../responses.ts'
import { type Route, route } from '../route.ts'
import { docsSearch, foundDocs } from '../wire/docs.ts'

const most = 8

/** @param file the index; without one nothing is found. */
export function docsRoutes(file: string | undefined): readonly Route[] {
  let opened: Promise<MiniSearch<SearchedPart> | null> | undefined
  // Opened on the first search: most servers never get one.
  const index = () => (opened ??= openIndex(file))
  return [
    route({
      method: 'get',
      path: '/v1/docs',
      id: 'searchDocs',
      tag: 'service',
      summary: 'Search the documentation',
      description: 'Parts of its pages, of the version that is installed.',
      takes: { query: docsSearch },
      responses: { 200: { description: 'Best first.', body: foundDocs } },
      async handle({ query: { search } }) {
        const found = (await index())?.search(search).slice(0, most) ?? []
        const results = found.map(({ id, page, heading, start }) => ({
          url: String(id),
          page: String(page),
          heading: String(heading),
          start: String(start),
        }))
        return json({ results })
      },
    }),
  ]
}

async function openIndex(file: string | undefined): Promise<MiniSearch<SearchedPart> | null> {
  const text = file === undefined ? null : await readFile(file, 'utf8').catch(() => null)
  return text === null ? null : MiniSearch.loadJSON<SearchedPart>(text, searchOptions)
}
