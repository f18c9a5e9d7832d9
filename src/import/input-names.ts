/** Names and texts of a description → names of inputs and templates that are safe in a manifest. */
import { templateSafe } from '../from-request/take-secrets.ts'

/** `X-Api-Key` → `x_api_key`; always a name that a template can use. */
export function inputNameOf(text: string): string {
  const name = text
    .normalize('NFKD')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 60)
  return /^[a-z]/.test(name) ? name : `input${name === '' ? '' : `_${name}`}`
}

export function titleOfInput(name: string): string {
  const words = name
    .replaceAll('_', ' ')
    .replace(/\bapi\b/, 'API')
    .replace(/\burl\b/, 'URL')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export function configTemplate(name: string): string {
  return `{{ config['${name}'] }}`
}

/** Whether a name would be taken for a template: no field or parameter is called so, and nothing of a description is evaluated. */
export function isTemplateLike(name: string): boolean {
  return /\{[{%#]/.test(name)
}

/** A text with `{name}` in it → a template, and what is between as it is. */
export function fillBraces(text: string, templateOf: (name: string) => string | null): string {
  return text
    .split(/(\{[^{}]*\})/)
    .map((part) =>
      part.startsWith('{') && part.endsWith('}') ? (templateOf(part.slice(1, -1)) ?? part) : templateSafe(part),
    )
    .join('')
}
