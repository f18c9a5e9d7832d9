/** What is asked: method, path, query, headers, body. */
import type { StreamPlace } from '../editor/use-streams.ts'
import { ChoiceField } from '../fields/choice-field.tsx'
import { Section } from '../fields/section.tsx'
import { TemplateField } from '../fields/template-field.tsx'

export function RequestSection({ stream: { path } }: { stream: StreamPlace }) {
  const requester = [...path, 'retriever', 'requester']
  return (
    <Section title="Request">
      <ChoiceField
        at={[...requester, 'http_method']}
        label="Method"
        fallback="GET"
        choices={['GET', 'POST'].map((value) => ({ value, label: value }))}
      />
      <TemplateField at={[...requester, 'path']} label="Path" help="Added to the base URL." />
    </Section>
  )
}
