/** How pages follow each other: on or off, one of four methods, and what that makes the requests look like. */
import { changesBetween, detach, removeResolved } from '../../../document/edit-resolved.ts'
import { follow } from '../../../document/follow.ts'
import { type Path, valueAt } from '../../../document/value-path.ts'
import { DetectionPanel } from '../../detection/detection-panel.tsx'
import { useDetection } from '../../detection/use-detection.ts'
import type { StreamPlace } from '../../editor/use-streams.ts'
import { ChoiceField } from '../../fields/choice-field.tsx'
import { InYaml } from '../../fields/in-yaml.tsx'
import { Section } from '../../fields/section.tsx'
import { SharedNote } from '../../fields/shared-note.tsx'
import { useRemembered } from '../../session/remembered.ts'
import { useChanges } from '../../session/use-changes.ts'
import { useField } from '../../session/use-field.ts'
import { useSessionStore } from '../../session/use-session.tsx'
import { useParts } from '../use-parts.ts'
import { changeMethod } from './change-method.ts'
import { MethodFields } from './method-fields.tsx'
import { methodWords } from './method-words.ts'
import { isPaging, type Method, methodFacts, methodOf, methods, strategyOf } from './methods.ts'
import { OddPaging } from './odd-paging.tsx'
import { RequestsPreview } from './requests-preview.tsx'

const choices = methods.map((method) => ({ value: method, label: methodFacts[method].label }))

export function PaginationSection({ stream }: { stream: StreamPlace }) {
  const parts = useParts(stream.path)
  const { paginatorAt: at, requesterAt } = parts
  const detecting = useDetection(stream.name)
  const { value: httpMethod = 'GET' } = useField([...requesterAt, 'http_method'])
  const { value: paginator, set } = useField(at)
  const store = useSessionStore()
  const { recall, remember } = useRemembered()
  const change = useChanges()
  const isOn = isPaging(paginator)
  const strategy = strategyOf(paginator)
  const method = methodOf(strategy)

  function choose(next: Method): void {
    if (method !== null) remember(strategy, at, method)
    change(changesBetween(at, paginator, changeMethod(paginator, next, recall(at, next))))
  }

  return (
    <Section
      title="Pagination"
      summary={isOn ? summaryOf(paginator) : 'one request per slice'}
      isOn={isOn}
      onSwitch={(on) => {
        if (on) return set(recall(at) ?? changeMethod(null, 'OffsetIncrement'))
        const { text, value: root } = store.get().document
        // As it is written: a reference comes back as one.
        const holder = follow(root, at.slice(0, -1)).writtenAt
        remember(valueAt(root, [...holder, ...at.slice(-1)]) ?? paginator, at)
        // What other streams use as well stays theirs.
        store.edit(removeResolved(detach(text, at), at))
      }}
      action={
        <button
          type="button"
          className="button small detect"
          aria-disabled={detecting.run.kind === 'running'}
          onClick={() => void (detecting.run.kind !== 'running' && detecting.start())}
        >
          Detect pagination
        </button>
      }
      note={<DetectionPanel detecting={detecting} parts={parts} />}
    >
      <SharedNote at={[at, ...partsOf(at)]} />
      <ChoiceField
        at={[...at, 'pagination_strategy', 'type']}
        label="Pagination method"
        isRequired
        fallback={method ?? ''}
        choices={choices}
        help={methodWords(paginator)}
        onChoose={(next) => choose(next as Method)}
      />
      {method === null ? (
        strategy !== undefined && <InYaml what="This strategy" />
      ) : (
        <MethodFields key={method} at={at} method={method} paginator={paginator} isGet={httpMethod === 'GET'} />
      )}
      <OddPaging stream={stream} paginator={paginator} />
      <RequestsPreview stream={stream.name} />
    </Section>
  )
}

/** They may be written elsewhere each on its own. */
function partsOf(at: Path): Path[] {
  return ['pagination_strategy', 'page_size_option', 'page_token_option'].map((key) => [...at, key])
}

function summaryOf(paginator: unknown): string {
  const method = methodOf(strategyOf(paginator))
  return method === null ? 'as written in the manifest' : methodFacts[method].label
}
