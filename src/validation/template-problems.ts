/** A manifest that passed its check → the templates in it that cannot work. */
import type { Component, Manifest } from '../engine/manifest/manifest.ts'
import { checkTemplate, compileTemplate } from '../engine/template/template.ts'
import { ConnectorError, hints, type Problem } from '../std/errors.ts'
import { inputsOf, type Misspelt, misspeltInputs } from './config-names.ts'
import { type FoundText, hasTemplate, textsIn } from './texts.ts'
import { namesOfferedIn } from './template-names.ts'
import { sendsWholeToken } from './whole-token.ts'

/** Templates of one stream that do not compile, or read what their place does not offer. Streams may share definitions, and then share problems. */
export function templateProblems(manifest: Manifest, stream: Component): Problem[] {
  const offeredAt = namesOfferedIn(stream)
  const misspelt = misspeltInputs(inputsOf(manifest))
  return textsIn(stream)
    .filter(({ text }) => hasTemplate(text) || text.includes('stream_state'))
    .flatMap((found) => {
      const at = manifest.at(found.holder, found.key)
      try {
        if (hasTemplate(found.text)) compileTemplate(found.text, at)
        const offered = offeredAt(found)
        if (offered !== null) checkTemplate(found.text, offered, at)
      } catch (error) {
        if (!(error instanceof ConnectorError)) throw error
        const { code, message, hint } = error
        return [{ code, severity: 'error' as const, message, at: error.at ?? at, hint }]
      }
      return [...wholeToken(found, at), ...(hasTemplate(found.text) ? misspelt(found.text).map(unknownInput(at)) : [])]
    })
}

function unknownInput(at: Problem['at']): (misspelt: Misspelt) => Problem {
  const code = 'template/unknown-input'
  return ({ name, meant }) => {
    const message = `The spec has no input \`${name}\`; did you mean \`${meant}\`?`
    return { code, severity: 'warning', message, at, hint: hints[code] }
  }
}

function wholeToken({ text }: FoundText, at: Problem['at']): Problem[] {
  if (!text.includes('next_page_token') || !sendsWholeToken(text)) return []
  const message = '`next_page_token` is an object that holds the page token; sent as it is, the API gets a Python dict.'
  const hint = "Write `{{ next_page_token['next_page_token'] }}`."
  return [{ code: 'template/whole-page-token', severity: 'warning', message, at, hint }]
}
