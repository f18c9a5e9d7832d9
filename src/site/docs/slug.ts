/** The text of a heading → its anchor, as GitHub makes them: links work there and here. */

/** One function for each page: a heading that comes again gets a number. */
export function slugs(): (text: string) => string {
  const seen = new Map<string, number>()
  return (text) => {
    const slug = text
      .toLowerCase()
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-')
    const count = seen.get(slug) ?? 0
    seen.set(slug, count + 1)
    return count === 0 ? slug : `${slug}-${count}`
  }
}
