/** Used by the build: the folder docs/ → the index for search. */
import { docSet } from './doc-set.ts'
import { readDocs } from './read-docs.ts'
import { searchIndex } from './search-index.ts'

export function buildSearch(folder: string): string {
  return searchIndex(docSet(readDocs(folder)))
}
