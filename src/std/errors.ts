/**
 * Every failure a user can meet, and what to do about it.
 * The word before the slash is the stage it belongs to.
 */
export const hints = {
  'manifest/syntax':
    'Mend the YAML or JSON at the place named; a missing quote or a wrong indent are the usual causes.',
  'manifest/duplicate-key': 'Keep one of the two; the last one counts.',
  'manifest/too-large':
    'Split the manifest, or write less after aliases, references and parameters, which multiply it.',
  'manifest/unknown-component': 'Check the spelling of `type`, or remove the component.',
  'manifest/unknown-field': 'Check the spelling of the key, or remove it.',
  'manifest/missing-field': 'Add the field.',
  'manifest/wrong-type': 'Give the field a value of the kind named.',
  'manifest/invalid-value': 'Give the field one of the values named.',
  'manifest/broken-reference': 'Point `$ref` at a place that exists in this manifest.',
  'manifest/circular-reference': 'Break the circle: a definition cannot contain itself.',
  'manifest/unsupported-component': 'Streams that do not use it run; this one waits for a later version.',
  'manifest/older-spelling': 'It still works; the newer spelling says the same without doubt.',
  'manifest/unknown-stream': 'Choose one of the streams named.',
  'manifest/duplicate-stream': 'Give each stream a name of its own.',
  'manifest/unused-page-token': 'Add `page_token_option`, or use `next_page_token` in a request template.',

  'template/syntax': 'Mend the template at the position named.',
  'template/unknown-name': 'Use one of the names this place offers.',
  'template/unknown-function': 'Use one of the functions, filters or tests that templates have.',
  'template/unknown-input': 'Write the input as the spec names it, or add it to the spec.',
  'template/whole-page-token': "Write `{{ next_page_token['next_page_token'] }}`.",
  'template/undefined': 'Guard it: `.get(…)`, `| default(…)` or `is defined`.',
  'template/wrong-type': 'Convert the value first, or guard the case with a condition.',
  'template/failed': 'Check the values the template met.',
  'template/forbidden': 'Templates reach data only, never the program around them.',
  'template/too-much-work': 'Simplify the template; it passed the limit on length, depth, output or steps.',

  'plan/missing-config': 'Add the value to the config.',
  'plan/invalid-config': 'Correct the value in the config.',
  'plan/invalid-page-size': 'Page size must be a whole number, or a template that gives one.',
  'plan/page-size-missing': 'Set `page_size`, or remove `page_size_option`.',
  'plan/class-name-form': 'Write it as `source_<name>.<package>.<ClassName>`.',
  'plan/class-file-outside': 'Keep the class inside the folder of its connector.',
  'plan/class-file-missing': 'Create the file named, or correct `class_name`.',
  'plan/class-missing': 'Export a class with that name from the file named.',
  'plan/class-wrong-base': 'Extend the base class named, imported from `turnleaf`.',
  'plan/class-incomplete': 'Write the method named; docs/pagination.md and the base class itself show how.',
  'plan/class-not-loadable': 'Mend the error the file itself reports.',
  'plan/no-folder': 'Give `loadManifest` the folder of the connector, or use `--manifest-path`.',
  'plan/unknown-choice': 'Set it to one of the choices named.',
  'plan/invalid-key': 'Give the private key whole, as PEM with its line breaks, and of the kind the algorithm needs.',
  'plan/invalid-date': 'Write the date in the format the manifest names.',
  'plan/invalid-number': 'Give a number, or a template over the config that gives one.',
  'plan/invalid-duration': 'Write the duration as ISO 8601, for example P1D or PT1H.',
  'plan/invalid-budget': 'Allow at least one call, and count no request for more calls than the limit.',

  'slices/invalid-values': 'Give the router a list of values, or a template that gives a list.',
  'slices/invalid-state': 'Start without the state file, or restore the one this connector wrote.',

  'request/option-collision': 'Send the value from one place only.',
  'request/two-bodies': 'Send either a JSON body or a form body.',
  'request/invalid-body': 'Make the body template give an object.',
  'request/invalid-parameter': 'Send a text, a number or a list; objects do not fit into a query.',
  'request/invalid-header': 'Header names and values hold printable characters only.',
  'request/invalid-url': 'Check `url_base`, `url` and `path`: together they must make an http or https address.',
  'request/token-refused': 'Check the credentials in the config, or sign in again.',

  'response/unusable-status': 'Check the headers of the request and `url_base`: the status carries no list of records.',
  'response/unreachable': 'Check the address and the network, then run again.',
  'response/timeout': 'The server answered too slowly; run again, or raise the time limit.',
  'response/cut-short': 'The connection broke in the middle of an answer; run again.',
  'response/rejected': 'Check the credentials and the permissions they grant.',
  'response/error-body': 'Check the request and the quota of the API, and run again.',
  'response/gave-up': 'The server kept failing; run again later.',
  'response/not-decodable': 'Check the address: the answer is not of the kind the manifest expects.',
  'response/no-token':
    'Check the address of the token endpoint and the name under which the token stands in its answer.',
  'response/too-large': 'Ask for smaller pages, or raise the limit on the size of a page.',
  'response/redirect-loop': 'Check the address: the server redirects without end.',
  'response/address-refused': 'The egress policy closes this address; allow it only if you trust it.',
  'response/aborted': 'The read was cancelled; start it again when you like.',

  'records/not-an-object': 'Point `field_path` at a list of objects.',
  'records/invalid-schema': 'Mend the schema, or what describes it.',
  'records/schema-file': 'Put the file where the manifest names it, inside the folder of the connector.',
  'records/no-place': 'Choose another `path`, or remove what stands in its way with RemoveFields first.',

  'pagination/loop': 'Check the pagination: the next request must differ and bring new records.',
  'pagination/reset-asked': 'Let only the requester of a stream that is read page by page use RESET_PAGINATION.',
  'pagination/reset-loop': 'Check `pagination_reset`: after a reset the slice must get smaller, or the answer better.',
  'pagination/reset-unordered': 'Ask the API to sort by the cursor field, oldest first, or use the action RESET.',
  'pagination/not-a-number': 'Offsets and page numbers must be whole numbers.',

  'insight/incomplete': 'Run `turnleaf diagnose` on the stream: it finds what is missing, and proposes a fix.',
  'insight/below-required': 'Run `turnleaf diagnose` on the stream, or require less.',

  'jobs/unknown-status': 'Add the status to the list of `status_mapping` that it belongs to.',
  'jobs/failed': 'Run again later, or look into the account for what the API says about its jobs.',
  'jobs/timed-out': 'Raise `polling_job_timeout`, or cut the stream into smaller slices.',

  'custom/class-failed': 'Mend the error in the class named.',

  'destinations/unknown': 'Write duckdb:FILE, parquet:FOLDER, jsonl:FOLDER or postgres://…',
  'destinations/unreachable': 'Check the address, the network and the credentials of the database, then run again.',
  'destinations/busy': 'Wait until the other sync has ended, or end it; then run again.',
  'destinations/write-refused':
    'Make room, or give the permission that is missing; then run again: it goes on from there.',
  'destinations/unreadable': 'Restore it from a copy, or choose another place.',
  'destinations/table-taken': 'Choose another schema, folder or file, or rename the table that stands there.',
  'destinations/query-refused': 'Mend the query; `select * from … limit 5` shows what a table has.',
  'destinations/not-one-select': 'Write one SELECT, WITH … SELECT, VALUES, DESCRIBE, SUMMARIZE or SHOW TABLES.',
  'destinations/query-memory': 'Ask for less: fewer rows, fewer columns, a filter, or aggregates instead of lists.',
  'destinations/query-time': 'Ask for less, or ask at the terminal: turnleaf query.',
  'destinations/query-died':
    'Change the query, and report the one that ended its process; the tables are as they were.',
  'destinations/lost': 'Run again: it goes on from what was committed last.',

  'sync/no-primary-key': 'Choose another mode, or name the key: `primary_key` in the manifest or the catalog.',
  'sync/not-incremental': 'Choose full refresh, or give the stream an `incremental_sync`.',
  'sync/unknown-mode': 'Choose one of the modes named.',
  'sync/unknown-stream': 'Check the name and `--to`; `turnleaf runs` lists what was synced there.',
  'sync/nothing-held': 'There is nothing to publish: `turnleaf runs` shows how the last sync ended.',
  'sync/several-held': 'Say which one: `--connection NAME`.',

  'detection/invalid-url': 'Give a whole address, for example https://api.example.com/v1/orders.',
  'detection/no-answer': 'Check the address and the network, then try again.',
  'detection/unauthorized':
    'Send the credential that the API asks for, for example --header "Authorization: Bearer …".',
  'detection/refused': 'Give the request as the API wants it: address, method, parameters and body.',
  'detection/moved': 'Give the address that it leads to, if you trust it.',
  'detection/not-json':
    'Give the address of the API rather than that of a page; some want --header "Accept: application/json".',

  'cli/arguments': 'See `turnleaf --help`.',
  'cli/file': 'Check the path and the permissions of the file.',
  'cli/no-token': 'Set TURNLEAF_TOKEN, for example to the output of `openssl rand -hex 32`, or listen on 127.0.0.1.',
  'lab/unknown-fault': 'Choose one of the faults that `turnleaf lab` lists.',
  'lab/port-taken': 'Choose another port with --port or TURNLEAF_LAB_PORT.',
  'server/invalid-request': 'Look the operation up in /openapi.json, and send what it describes.',
  'server/not-json': 'Send JSON, with `Content-Type: application/json`.',
  'server/too-large': 'Send less at once.',
  'server/not-found': 'Look at the list: it may have been renamed or deleted.',
  'server/method': 'Look the operation up in /openapi.json.',
  'server/exists': 'Choose another name.',
  'server/changed-meanwhile': 'Load the newer version, and make the change again, or save it over the other.',
  'server/unreadable': 'Mend the file, or move it away; a link has to give way to what it leads to.',
  'server/disk': 'Check the permissions and the space in TURNLEAF_HOME. What was saved before is still there.',
  'server/gone': 'Run the read again: the server keeps only the latest.',
  'server/busy': 'Wait until another read has ended, or cancel one.',
  'server/custom-code': 'Put the classes into the folder of a connector, and read that with `turnleaf read`.',
  'server/unauthorized':
    'Send `Authorization: Bearer` with the token that the server was started with (TURNLEAF_TOKEN).',
  'server/foreign': 'Open the address that the server printed, or name the one you use in TURNLEAF_API_URL.',
  'site/invalid-base-url': 'Write an origin and nothing more, for example https://turnleaf.example.',
  'site/port-taken': 'Choose another with --site-port or --api-port; 0 takes any free one.',
  'site/cannot-listen': 'Choose an address of this machine and a port that you may use.',
} as const

export type ErrorCode = keyof typeof hints

/** What a failure concerns: one slice, so that others may still be read, or the connector with its config and credentials. */
export type ErrorScope = 'slice' | 'connector'

type Stage = ErrorCode extends `${infer Before}/${string}` ? Before : never

/** By the word before the slash; a new stage has to be decided on here. */
const stageScopes: Readonly<Record<Stage, ErrorScope>> = {
  manifest: 'connector',
  plan: 'connector',
  custom: 'connector',
  template: 'slice',
  slices: 'slice',
  request: 'slice',
  response: 'slice',
  records: 'slice',
  pagination: 'slice',
  jobs: 'slice',
  insight: 'slice',
  // Not thrown while a slice is read.
  destinations: 'slice',
  sync: 'slice',
  detection: 'slice',
  cli: 'slice',
  lab: 'slice',
  server: 'slice',
  site: 'slice',
}

/** Codes that differ from their stage. */
const codeScopes: Readonly<Partial<Record<ErrorCode, ErrorScope>>> = {
  'request/token-refused': 'connector',
  'response/address-refused': 'connector',
}

/** @example scopeOf('response/timeout') // 'slice' */
export function scopeOf(code: ErrorCode): ErrorScope {
  return codeScopes[code] ?? stageScopes[code.slice(0, code.indexOf('/')) as Stage]
}

/** Where the author wrote what went wrong. */
export type SourceLocation = { pointer: string; file?: string; line?: number; column?: number }

/** Whose turn it is after a failure: the user's, the maintainers', or that of time. Airbyte's words. */
export type FailureType = 'config_error' | 'system_error' | 'transient_error'

export type ErrorDetails = {
  at?: SourceLocation | undefined
  hint?: string | undefined
  cause?: unknown
  problems?: readonly Problem[] | undefined
  failureType?: FailureType | undefined
}

/** One thing wrong with a manifest; a check reports them all at once. */
export type Problem = {
  code: ErrorCode
  severity: 'error' | 'warning' | 'note'
  message: string
  at: SourceLocation
  hint: string
}

/** The one error class: which (code), what (message), where (at), what next (hint). */
export class ConnectorError extends Error {
  override readonly name = 'ConnectorError'
  readonly code: ErrorCode
  readonly hint: string
  readonly at: SourceLocation | undefined
  readonly problems: readonly Problem[]
  /** Where the manifest says so; otherwise the code tells. */
  readonly failureType: FailureType | undefined

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = code
    this.hint = details.hint ?? hints[code]
    this.at = details.at
    this.problems = details.problems ?? []
    this.failureType = details.failureType
  }

  /** What crosses a wire or lands in a log; never the stack, never a secret. */
  toJSON() {
    return {
      code: this.code,
      message: this.message,
      at: this.at,
      hint: this.hint,
      ...(this.problems.length > 0 && { problems: this.problems }),
    }
  }
}
