/** Text → text that is safe inside HTML, with backticks as code. */

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export function escape(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character)
}

/** Backticks become `<code>`. */
export function inline(text: string): string {
  return escape(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}

/** Highlights the marked part of a text. */
export function mark(text: string, marked: string, wrap: (part: string) => string): string {
  const at = marked === '' ? -1 : text.indexOf(marked)
  if (at < 0) return escape(text)
  return escape(text.slice(0, at)) + wrap(escape(marked)) + escape(text.slice(at + marked.length))
}
