/** A name as APIs write it → its words: `nextPageToken`, `next_page_token` and `X-Next-Page-Token` are three alike. */

export function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '' && word !== 'x')
}

export function plainName(name: string): string {
  return wordsOf(name).join('')
}
