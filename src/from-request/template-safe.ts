/** Text of a request → a template that gives the same text: braces of the API's own stay braces. */
export function templateSafe(text: string): string {
  return text.replaceAll(/\{[{%#]/g, (opening) => `{{ '${opening}' }}`)
}
