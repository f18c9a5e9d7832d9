/** Pagination: on or off, one of four methods, and a preview of the requests. */
import { changesBetween, detach, removeResolved } from '../../../document/edit-resolved.ts'
import { follow } from '../../../document/follow.ts'
import { type Path, valueAt } from '../../../document/value-path.ts'
import { DetectionPanel } from '../../detection/detection-panel.tsx'
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
import {
  isPaging,
  otherKeys,
  methodFacts,
  paginationMethodOf,
  paginationMethods,
  type PaginationMethod,
  strategyOf,
} from './methods.ts'
import { usualQuery, usualPlaceIn } from './placement.ts'
import { RequestsPreview } from './requests-preview.tsx'
import { isObject } from '../../../std/values/objects.ts'
import type { DetectionEvent } from '../../../server/wire/detection.ts'
import { createWork } from '../../proofs/work.ts'
import { useTest } from '../../test-reads/use-test.ts'

const choices = paginationMethods.map((method) => ({ value: method, label: methodFacts[method].label }))

export function PaginationSection({ stream }: { stream: StreamPlace }) {
  const parts = useParts(stream.path)
  const { paginatorAt: at, requesterAt } = parts
  const detecting = useDetection(stream.name)
  const { start: startTest } = useTest(stream.name)
  const { value: requester } = useField(requesterAt)
  const { value: paginator, set } = useField(at)
  const store = useSessionStore()
  const { recall, remember } = useRemembered()
  const change = useChanges()
  const isOn = isPaging(paginator)
  const strategy = strategyOf(paginator)
  const method = paginationMethodOf(strategy)
  const isGet = !isObject(requester) || (requester.http_method ?? 'GET') === 'GET'
  // The results of a job are not asked for with what starts it.
  const place = at.at(-1) === 'paginator' ? usualPlaceIn(requester) : usualQuery

  function choose(next: PaginationMethod): void {
    if (method !== null) remember(strategy, at, method)
    change(changesBetween(at, paginator, changeMethod(paginator, next, recall(at, next), place)))
  }

  return (
    <Section
      title="Pagination"
      docs="pagination"
      summary={isOn ? summaryOf(paginator) : 'one request per slice'}
      isOn={isOn}
      onSwitch={(on) => {
        if (on) return set(recall(at) ?? changeMethod(null, 'OffsetIncrement', undefined, place))
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
      note={<DetectionPanel detecting={detecting} parts={parts} onUsed={startTest} />}
    >
      <SharedNote at={[at, ...partsOf(at)]} />
      <ChoiceField
        at={[...at, 'pagination_strategy', 'type']}
        label="Pagination method"
        isRequired
        fallback={method ?? ''}
        choices={choices}
        help={methodWords(paginator)}
        onChoose={(next) => choose(next as PaginationMethod)}
      />
      {method === null ? (
        strategy !== undefined && <InYaml what="This strategy" />
      ) : (
        <MethodFields key={method} {...{ at, method, paginator, isGet, place }} />
      )}
      <OddPaging stream={stream} paginator={paginator} />
      <RequestsPreview stream={stream.name} at={at} />
    </Section>
  )
}

/** They may be written elsewhere each on its own. */
function partsOf(at: Path): Path[] {
  return ['pagination_strategy', 'page_size_option', 'page_token_option'].map((key) => [...at, key])
}

function summaryOf(paginator: unknown): string {
  const method = paginationMethodOf(strategyOf(paginator))
  return method === null ? 'as written in the manifest' : methodFacts[method].label
}

function methodWords(paginator: unknown): string {
  const strategy = strategyOf(paginator) ?? {}
  const isOnFirst = strategy.inject_on_first_request === true
  switch (paginationMethodOf(strategy)) {
    case 'OffsetIncrement':
      return `The first request ${isOnFirst ? 'asks from offset 0' : 'has no offset'}; the offset of each next one grows by the records received. Ends with a page of fewer records than the limit.`
    case 'PageIncrement': {
      const first = Number(strategy.start_from_page ?? 0)
      return `The first request ${isOnFirst ? `asks for page ${first}` : 'has no page number'}; the next ask for page ${first + 1}, ${first + 2} and so on. Ends with a page of fewer records than the page size.`
    }
    case 'CursorPagination': {
      const end =
        strategy.stop_condition === undefined
          ? 'where there is none'
          : 'where there is none, or the stop condition holds'
      return goesToAddress(paginator)
        ? `The first request goes to the path above; each next one to the address that the page before gave. Ends ${end}.`
        : `The first request has no cursor; each next one has the cursor of the page before. Ends ${end}.`
    }
    case 'CustomPaginationStrategy':
      return 'The class decides what each request asks for. Ends when it returns nothing.'
    case null:
      return 'Chooses what asks for the next page.'
  }
}

function goesToAddress(paginator: unknown): boolean {
  const option = isObject(paginator) ? paginator.page_token_option : undefined
  return isObject(option) && (option.type === 'RequestPath' || option.inject_into === 'path')
}

const ofPaginator = ['pagination_strategy', 'page_size_option', 'page_token_option']
const ofOption = ['inject_into', 'field_name', 'field_path']

function OddPaging({ stream: { path }, paginator }: { stream: StreamPlace; paginator: unknown }) {
  const { value: reset } = useField([...path, 'retriever', 'pagination_reset'])
  const odd = [...(reset === undefined ? [] : ['pagination_reset']), ...oddKeys(paginator)]
  if (odd.length === 0) return null
  return (
    <InYaml
      what={odd.join(', ')}
      why={odd.length === 1 ? 'is set in the manifest too.' : 'are set in the manifest too.'}
    />
  )
}

function oddKeys(paginator: unknown): string[] {
  if (!isObject(paginator)) return []
  const { pagination_strategy: strategy, page_size_option: size, page_token_option: token } = paginator
  const method = paginationMethodOf(strategy)
  return [
    ...otherKeys(paginator, [...ofPaginator, 'url_base']),
    ...(method === null ? [] : otherKeys(strategy, methodFacts[method].keys)),
    ...otherKeys(size, ofOption),
    ...otherKeys(token, ofOption),
  ]
}

const useDetection = createWork<DetectionEvent>('/v1/detections')
