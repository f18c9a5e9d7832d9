/** One rule about answers: which it is about, and what they mean. */
import { isObject } from '../../../std/values/objects.ts'
import type { Path } from '../../../document/value-path.ts'
import { ChoiceField } from '../../fields/choice-field.tsx'
import { CodesField } from '../../fields/codes-field.tsx'
import { TemplateField } from '../../fields/template-field.tsx'
import { TextField } from '../../fields/text-field.tsx'

const actions: Record<string, string> = {
  SUCCESS: 'The response counts as successful.',
  RETRY: 'The request is tried again, after a wait.',
  FAIL: 'The read ends with an error.',
  IGNORE: 'The response counts as an empty page; the read continues with the next slice.',
  RATE_LIMITED: 'The request is tried again until the API allows it.',
  RESET_PAGINATION: 'The slice is read again from its first page.',
  REDUCE_PAGE_SIZE: 'The page is requested again with fewer records, as `page_size_reduction` says.',
  SPLIT_REQUEST_WINDOW: 'The slice is read in two halves, as `request_window_splitting` says.',
  REFRESH_TOKEN_THEN_RETRY: 'A new access token is fetched, then the request is tried again.',
}

const failureTypes = [
  { value: 'system_error', label: 'system_error: the connector is wrong' },
  { value: 'config_error', label: 'config_error: the inputs are wrong' },
  { value: 'transient_error', label: 'transient_error: it may work later' },
]

/** It matches nothing until its author says what: a code that is ignored unasked would lose records. */
export function newFilter() {
  return { type: 'HttpResponseFilter', action: 'FAIL', http_codes: [] }
}

export function filterTitle(filter: unknown): string {
  const { action, http_codes: codes, predicate, error_message_contains: words } = isObject(filter) ? filter : {}
  const matches = [
    Array.isArray(codes) && codes.length > 0 && codes.join(', '),
    typeof predicate === 'string' && predicate !== '' && 'a condition',
    typeof words === 'string' && words !== '' && `“${words}”`,
  ].filter(Boolean)
  return `${matches.join(' or ') || 'Nothing'} → ${typeof action === 'string' ? action : 'no action'}`
}

function actionHelp(action: unknown): string {
  if (typeof action !== 'string') return 'Without an action the filter decides nothing.'
  return actions[action] ?? 'This is not done here: the read ends with an error.'
}

export function FilterFields({ at, filter }: { at: Path; filter: unknown }) {
  const { action } = isObject(filter) ? filter : {}
  return (
    <>
      <div className="side-by-side">
        <CodesField at={[...at, 'http_codes']} label="HTTP codes" placeholder="404, 410" />
        <TextField
          at={[...at, 'error_message_contains']}
          label="Error message contains"
          help="Words of the error message in the response."
        />
      </div>
      <TemplateField
        at={[...at, 'predicate']}
        label="Predicate"
        as="boolean"
        placeholder="{{ response.code == 'not_found' }}"
        help="A condition on the response. The filter matches if the codes, the words or the condition match."
      />
      <ChoiceField
        at={[...at, 'action']}
        label="Action"
        isRequired
        choices={Object.keys(actions).map((value) => ({ value, label: value }))}
        help={actionHelp(action)}
      />
      {action === 'FAIL' && (
        <ChoiceField at={[...at, 'failure_type']} label="Failure type" choices={failureTypes} fallback="" />
      )}
      <TemplateField
        at={[...at, 'error_message']}
        label="Error message"
        help="The message to show instead of the API’s own."
      />
    </>
  )
}
