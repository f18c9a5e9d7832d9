/** Text → text that is safe inside HTML, with backticks as code. */

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export function escape(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character)
}

/** Backticks become `<code>`. */
export function inline(text: string): string {
  return escape(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}
