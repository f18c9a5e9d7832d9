/**
 * Every error a user can meet, and what to do about it.
 * The word before the slash is the stage it belongs to.
 */
export const hints = {
  'manifest/syntax':
    'Correct the YAML or JSON at the position named; a missing quote or wrong indentation is the usual cause.',
  'manifest/duplicate-key': 'Keep one of the two; the last one is used.',
  'manifest/too-large': 'Split the manifest, or use fewer aliases, references and parameters, which multiply its size.',
  'manifest/unknown-component': 'Check the spelling of `type`, or remove the component.',
  'manifest/unknown-field': 'Check the spelling of the key, or remove it.',
  'manifest/missing-field': 'Add the field.',
  'manifest/wrong-type': 'Set the field to a value of the type named.',
  'manifest/invalid-value': 'Set the field to one of the values named.',
  'manifest/broken-reference': 'Point `$ref` to a path that exists in this manifest.',
  'manifest/circular-reference': 'Remove the circular reference: a definition cannot contain itself.',
  'manifest/unsupported-component': 'Streams that do not use it still run; this one is not supported yet.',
  'manifest/older-spelling': 'It still works; prefer the newer spelling.',
  'manifest/unknown-stream': 'Choose one of the streams named.',
  'manifest/duplicate-stream': 'Give each stream a unique name.',
  'manifest/unused-page-token': 'Add `page_token_option`, or use `next_page_token` in a request template.',

  'template/syntax': 'Correct the template at the position named.',
  'template/unknown-name': 'Use one of the names that are available here.',
  'template/unknown-function': 'Use one of the functions, filters or tests that templates have.',
  'template/unknown-input': 'Use the name of an input in the spec, or add the input to the spec.',
  'template/whole-page-token': "Write `{{ next_page_token['next_page_token'] }}`.",
  'template/undefined': 'Guard it: `.get(…)`, `| default(…)` or `is defined`.',
  'template/wrong-type': 'Convert the value first, or guard the case with a condition.',
  'template/failed': 'Check the values that the template used.',
  'template/forbidden': 'Templates can access data only.',
  'template/too-much-work': 'Simplify the template; it exceeded the limit on length, depth, output or steps.',

  'plan/missing-config': 'Add the value to the config.',
  'plan/invalid-config': 'Correct the value in the config.',
  'plan/invalid-option': 'Correct the option named; docs/library.md lists them.',
  'plan/invalid-page-size': 'Set the page size to a whole number, or to a template that returns one.',
  'plan/page-size-missing': 'Set `page_size`, or remove `page_size_option`.',
  'plan/class-name-form': 'Write it as `source_<name>.<package>.<ClassName>`.',
  'plan/class-file-outside': 'Move the class into the folder of its connector.',
  'plan/class-file-missing': 'Create the file named, or correct `class_name`.',
  'plan/class-missing': 'Export a class with that name from the file named.',
  'plan/class-wrong-base': 'Extend the base class named, imported from `turnleaf`.',
  'plan/class-incomplete': 'Implement the method named; see docs/custom-classes.md and the base class.',
  'plan/class-not-loadable': 'Correct the error that the file reports.',
  'plan/no-folder': 'Pass the folder of the connector to `loadManifest`, or use `--manifest-path`.',
  'plan/unknown-choice': 'Set it to one of the choices named.',
  'plan/invalid-key':
    'Provide the whole private key as PEM, with its line breaks, of the type that the algorithm needs.',
  'plan/invalid-date': 'Write the date in the format that the manifest names.',
  'plan/invalid-number': 'Use a number, or a template that returns one.',
  'plan/invalid-duration': 'Write the duration as ISO 8601, for example P1D or PT1H.',
  'plan/invalid-budget': 'Allow at least one call, and do not count a request as more calls than the limit.',

  'slices/invalid-values': 'Set the values of the router to a list, or to a template that returns one.',
  'slices/invalid-state': 'Start without the state file, or restore one that this connector wrote.',

  'request/option-collision': 'Send the value from one place only.',
  'request/two-bodies': 'Send either a JSON body or a form body.',
  'request/invalid-body': 'Change the body template so that it returns an object.',
  'request/invalid-parameter': 'Send a string, a number or a list; objects cannot be sent in a query.',
  'request/invalid-header': 'Use printable characters only in header names and values.',
  'request/invalid-url': 'Check `url_base`, `url` and `path`: together they must form an http or https address.',
  'request/token-refused': 'Check the credentials in the config, or sign in again.',

  'response/unusable-status': 'Check the headers of the request and `url_base`: the status carries no list of records.',
  'response/unreachable': 'Check the address and the network, then run again.',
  'response/tls-refused':
    'If you trust the server, name a file with its certificate, or that of its authority, in NODE_EXTRA_CA_CERTS.',
  'response/timeout': 'The server responded too slowly; run again, or raise the time limit.',
  'response/cut-short': 'The connection broke during a response; run again.',
  'response/rejected': 'Check the credentials and the permissions they grant.',
  'response/error-body': 'Check the request and the quota of the API, and run again.',
  'response/gave-up': 'The server kept failing; run again later.',
  'response/not-decodable': 'Check the address: the response does not have the format that the manifest expects.',
  'response/no-token': 'Check the address of the token endpoint and the name of the token in its response.',
  'response/too-large': 'Request smaller pages, or raise the limit on the size of a page.',
  'response/redirect-loop': 'Check the address: the server redirects without end.',
  'response/address-refused': 'The egress policy blocks this address; allow it only if you trust it.',
  'response/aborted': 'The read was cancelled; run it again.',

  'records/not-an-object':
    'Point `field_path` at a list of objects; for a list of strings, see docs/lists-of-strings.md.',
  'records/invalid-schema': 'Correct the schema, or what it is made from.',
  'records/schema-file': 'Put the file at the path that the manifest names, inside the folder of the connector.',
  'records/list-incomplete':
    'Correct the pagination of the retriever that reads the list; if the API did not answer with all of it, run again.',
  'records/no-place': 'Choose another `path`, or first remove the value that is in the way with RemoveFields.',

  'pagination/loop': 'Check the pagination: the next request must differ and return new records.',
  'pagination/reset-asked': 'Use RESET_PAGINATION only in the requester of a stream that is read page by page.',
  'pagination/reset-loop': 'Check `pagination_reset`: after a reset the slice must get smaller.',
  'pagination/reset-unordered': 'Ask the API to sort by the cursor field, oldest first, or use the action RESET.',
  'pagination/not-a-number': 'Offsets and page numbers must be whole numbers.',

  'proof/incomplete': 'Run `npx turnleaf diagnose` on the stream: it finds what is missing and proposes a fix.',
  'proof/below-required': 'Run `npx turnleaf diagnose` on the stream, or require less.',

  'jobs/unknown-status': 'Add the status to the list of `status_mapping` that it belongs to.',
  'jobs/failed': 'Run again later, or check the jobs in your account of the API.',
  'jobs/timed-out': 'Raise `polling_job_timeout`, or split the stream into smaller slices.',

  'custom/class-failed': 'Correct the error in the class named.',

  'destinations/unknown': 'Write duckdb:FILE, parquet:FOLDER, jsonl:FOLDER or postgres://…',
  'destinations/unreachable': 'Check the address, the network and the credentials of the database, then run again.',
  'destinations/busy': 'Wait until the other sync has ended, or stop it; then run again.',
  'destinations/taken-over':
    'Let the other process end. If none runs, run again: the sync resumes from the last commit.',
  'destinations/cannot-share': 'Write to postgres://…, or run the sync in one process.',
  'destinations/write-refused': 'Free space, or grant the missing permission; then run again: the sync resumes.',
  'destinations/data-refused':
    'Remove or change the field with a transformation, then run again: the stream resumes from the last commit.',
  'destinations/unreadable': 'Restore it from a copy, or choose another destination.',
  'destinations/table-taken': 'Choose another schema, folder or file, or rename the existing table.',
  'destinations/query-refused': 'Correct the query; `select * from … limit 5` shows the columns of a table.',
  'destinations/not-one-select': 'Write one SELECT, WITH … SELECT, VALUES, DESCRIBE, SUMMARIZE or SHOW TABLES.',
  'destinations/query-memory':
    'Reduce the result: fewer rows, fewer columns, a filter, or aggregates instead of lists.',
  'destinations/query-time': 'Reduce the result, or run the query with `npx turnleaf query`.',
  'destinations/query-died': 'Change the query, and report the one that failed; the tables are unchanged.',
  'destinations/lost': 'Run again: the sync resumes from the last commit.',

  'connections/not-found':
    '`npx turnleaf connection list` shows the connections; `npx turnleaf connection add` makes one.',
  'collections/none': 'Name a folder with manifests, or the address of a git repository of them.',
  'collections/unknown': 'Search for it: npx turnleaf connectors search WORD.',
  'collections/git': 'Check the address and the network, or clone the repository yourself and name its folder.',
  'connections/exists': 'Choose another name, or remove it first with `npx turnleaf connection remove`.',
  'connections/name': 'Use lower-case letters, digits, `-` and `_`, at most 63, a letter or digit first.',
  'connections/invalid': 'Correct the file of the connection; docs/connections.md lists its keys.',
  'connections/no-connector': 'Put the connector into connectors/ in TURNLEAF_HOME, or write a path such as ./shop.',
  'connections/missing-variable': 'Set the environment variable, then run again.',
  'connections/missing-file': 'Create the file, or correct the path after `file:`.',
  'connections/plain-secret': 'Write the secret as a reference, such as ${NAME} or file:PATH.',

  'schedules/every': 'Write a number and a unit, for example 30s, 15m, 1h, 1d or 1w.',
  'schedules/cron':
    'Write minute, hour, day of month, month and day of week, for example `0 * * * *` (every hour) or `30 6 * * 1-5`.',
  'schedules/timezone': 'Write it as the IANA database does, for example Europe/Berlin or UTC.',
  'schedules/webhook': 'Write a full address, or a reference to one such as ${WEBHOOK}.',
  'schedules/invalid': 'Correct the schedule; docs/schedules.md lists its keys.',
  'schedules/none': 'Add one with `npx turnleaf schedule add`; `npx turnleaf schedule list` lists the existing ones.',
  'schedules/outside':
    'Move the folder to connections/ in TURNLEAF_HOME: `npx turnleaf serve` runs the schedules there.',

  'workers/no-queue': 'Install it next to Turnleaf: npm install pg-boss@12.35.0. It asks for Node 22.12 or newer.',
  'workers/queue-version':
    'Update this Turnleaf to the version of the newest worker; docs/scale.md has how to upgrade.',
  'workers/no-job': '`npx turnleaf jobs` lists the jobs and their ids.',
  'workers/died':
    'Read the logs of the workers named; memory that runs out is the usual cause. Then submit it again: the sync resumes.',
  'workers/job-gone': 'Submit it again: what was read is kept, and the sync resumes.',

  'sync/no-primary-key': 'Choose another mode, or set `primary_key` in the manifest or the catalog.',
  'sync/not-incremental': 'Choose full refresh, or add `incremental_sync` to the stream.',
  'sync/unknown-mode': 'Choose one of the modes named.',
  'sync/unknown-stream': 'Check the name and `--to`; `npx turnleaf runs` lists the synced streams.',
  'sync/nothing-held': 'There is nothing to publish: `npx turnleaf runs` shows how the last sync ended.',
  'sync/other-plan': 'Use the same connector, config and modes in all processes of a sync, then run it again.',
  'sync/several-held': 'Choose one with `--connection NAME`.',

  'detection/invalid-url': 'Use a full address, for example https://api.example.com/v1/orders.',
  'detection/no-answer': 'Check the address and the network, then try again.',
  'detection/unauthorized':
    "Check the credential, or send the one that the API requires: --header 'Authorization: Bearer ${API_TOKEN}', in single quotes.",
  'detection/refused': 'Check address, method, parameters and body of the request.',
  'detection/moved': 'Use the address that it redirects to, if you trust it.',
  'detection/not-json':
    'Use the address of the API rather than of a web page; some APIs need --header "Accept: application/json".',

  'recordings/none': 'Record the streams first: npx turnleaf record --manifest-path FOLDER --config FILE.',
  'recordings/invalid': 'Correct the file, restore it from git, or record the stream again.',
  'recordings/other-version': 'Record the stream again with this version of Turnleaf.',
  'recordings/too-large': 'Record less: a smaller --records-per-page, --max-pages or --max-slices, or fewer streams.',
  'recordings/secret-left':
    'Mark the input as `airbyte_secret` in the spec, and report what the API sends, without the secret.',
  'recordings/not-replayable':
    'Check what the manifest computes from its secrets: a replay has placeholders in their place.',
  'recordings/unexpected-request': 'Correct the manifest; or record again, if the new request is right.',
  'recordings/network': 'Send requests with the requester that the class is given, so that they are recorded.',
  'import/unreadable':
    'Give a file in JSON or YAML; look for a missing quote or wrong indentation at the position named.',
  'import/not-openapi': 'Give an OpenAPI 3.0 or 3.1 or a Swagger 2.0 document.',
  'import/not-postman': 'Export the collection from Postman as v2.1 (v2.0 works too).',
  'import/not-har': 'Save the file from the network tab of the browser ("Save all as HAR").',
  'import/too-large': 'Give a smaller document: with references instead of copies, or only the part that you need.',
  'import/no-streams': 'Make a connector from one request instead: `npx turnleaf detect URL`.',
  'import/too-many':
    '`--list` shows them; choose with --only, which takes patterns such as orders*, or write all with --all.',
  'import/unknown-stream': '`--list` shows the names.',
  'import/exists': 'Choose another folder with --to, or add --force.',
  'import/not-found': 'Check the address of the description.',

  'cli/arguments': 'See `npx turnleaf --help`.',
  'cli/file': 'Check the path and the permissions of the file.',
  'cli/no-token': 'Set TURNLEAF_TOKEN, for example to the output of `openssl rand -hex 32`, or listen on 127.0.0.1.',
  'lab/unknown-fault': 'Choose one of the faults that `npx turnleaf lab` lists.',
  'lab/port-taken':
    'Choose another port: --port of `turnleaf lab`, --lab-port of `turnleaf serve`, or TURNLEAF_LAB_PORT.',
  'server/invalid-request': 'See the operation in /openapi.json.',
  'server/not-json': 'Send JSON, with `Content-Type: application/json`.',
  'server/too-large': 'Send less at once.',
  'server/not-found': 'Check the list: it may have been renamed or deleted.',
  'server/method': 'See /openapi.json.',
  'server/exists': 'Choose another name.',
  'server/in-use': 'Name the connector in the file of the connection instead of its path, and try again.',
  'server/changed-meanwhile': 'Load the newer version and make the change again, or overwrite it.',
  'server/unreadable': 'Correct the file, or move it away; replace a link by the file it leads to.',
  'server/disk': 'Check the permissions and the space in TURNLEAF_HOME. Earlier versions are unchanged.',
  'server/gone': 'Run the read again: the server keeps only the latest.',
  'server/busy': 'Wait until another read has ended, or cancel one.',
  'server/destination':
    'Name a file or folder in the workspace, a database that the server may reach, or a variable of the server that has its address: ${NAME}.',
  'server/custom-code': 'Put the classes into the folder of a connector, and read it with `npx turnleaf read`.',
  'server/unauthorized':
    'Send `Authorization: Bearer` with the token that the server was started with (TURNLEAF_TOKEN).',
  'server/foreign': 'Open the address that the server printed, or set TURNLEAF_API_URL to the one you use.',
  'secrets/no-store': 'Choose “Keep on this machine” under Inputs to create one.',
  'secrets/store-exists': 'Unlock it; or delete it first, with everything in it.',
  'secrets/locked': 'Unlock it under Inputs with the passphrase or the keychain.',
  'secrets/wrong-passphrase':
    'Try again. A forgotten passphrase cannot be recovered: delete the store, and create a new one.',
  'secrets/short-passphrase': 'Use at least 8 characters; several words are easy to remember.',
  'secrets/damaged': 'Restore `.test-configs/store.json` in TURNLEAF_HOME from a backup, or delete the store.',
  'secrets/later-version': 'Update Turnleaf to the version that wrote it.',
  'secrets/no-keychain':
    'Use a passphrase. On Linux a keychain needs the program `secret-tool` and an unlocked keyring.',
  'secrets/not-stored': 'Enter the value again under Inputs.',
  'secrets/enter-again': 'Enter the secret again, or keep the addresses as they were.',
  'secrets/too-short': 'Enter the value in the tab for each test, or run the server for this machine only.',
  'secrets/no-variable': 'Set it and start the server again. To mean the text itself, write `$${NAME}`.',
  'secrets/not-allowed': 'Ask the operator to name it with its address in TURNLEAF_MCP_SECRETS: NAME=https://HOST.',
  'secrets/elsewhere':
    'If you trust the address, allow it under Inputs, or as the operator of a shared server in TURNLEAF_MCP_SECRETS, for a file in `origins` of the connection; otherwise check the URLs of the manifest.',
  'secrets/no-origins':
    'Name the addresses of the API in the file of the connection, `origins: [https://HOST]`; or create it again with its secrets.',
  'secrets/written-out': 'Move the value into a file, and write `file:PATH` in its place.',
  'mcp/unknown-tool': 'List the tools, and call one of them.',
  'mcp/invalid-arguments': 'Correct the arguments; the tool’s input schema describes them.',
  'mcp/invalid-secret': 'Write for example SHOP_TOKEN=https://api.shop.example.',
  'mcp/secret-refused':
    'Ask the user to start the server with the secret: npx turnleaf mcp --secret NAME=https://HOST, or TURNLEAF_MCP_SECRETS.',
  'mcp/secret-elsewhere': 'Use the host that the secret is for, or ask the user to allow the other one.',
  'mcp/literal-secret':
    'Give a reference such as ${SHOP_TOKEN}, and ask the user to start the server with that secret: npx turnleaf mcp --secret NAME=https://HOST.',
  'mcp/in-use':
    'Make the change under another name with create_connector, and ask the user to review it and take it over.',
  'mcp/no-match': 'Call read_manifest, and copy the text to replace from it, long enough to be there once.',
  'mcp/no-fix': 'Choose a finding that has a fix, or edit the manifest as its advice says.',
  'mcp/too-many-sessions': 'Close a session, or wait until an idle one ends.',
  'site/invalid-base-url': 'Write only an origin, for example https://turnleaf.example.',
  'site/port-taken': 'Choose another with --site-port or --api-port; 0 takes any free one.',
  'site/cannot-listen': 'Choose an address of this machine and a port that you are allowed to use.',
} as const

export type ErrorCode = keyof typeof hints

/** What a failure concerns: one slice, so that others may still be read, or the connector with its config and credentials. */
export type ErrorScope = 'slice' | 'connector'

/** The word before the slash. */
export type Stage = ErrorCode extends `${infer Before}/${string}` ? Before : never

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
  proof: 'slice',
  // Not thrown while a slice is read.
  destinations: 'slice',
  connections: 'slice',
  collections: 'slice',
  schedules: 'slice',
  workers: 'slice',
  sync: 'slice',
  detection: 'slice',
  // A request that was not recorded ends the replay.
  recordings: 'connector',
  import: 'slice',
  cli: 'slice',
  lab: 'slice',
  server: 'slice',
  site: 'slice',
  mcp: 'slice',
  // A secret that may not be sent to one address may not for the next slice.
  secrets: 'connector',
}

/** Codes that differ from their stage. */
const codeScopes: Readonly<Partial<Record<ErrorCode, ErrorScope>>> = {
  'request/token-refused': 'connector',
  'response/address-refused': 'connector',
  'response/tls-refused': 'connector',
  'mcp/secret-elsewhere': 'connector',
}

/** @example errorScope('response/timeout') // 'slice' */
export function errorScope(code: ErrorCode): ErrorScope {
  return codeScopes[code] ?? stageScopes[stageOf(code)]
}

/** @example stageOf('response/timeout') // 'response' */
export function stageOf(code: ErrorCode): Stage {
  return code.slice(0, code.indexOf('/')) as Stage
}

/** Whether it is this error, or one of these: a misspelled code is a type error. */
export function hasCode(error: unknown, ...codes: readonly ErrorCode[]): error is ConnectorError {
  return error instanceof ConnectorError && codes.includes(error.code)
}

/** Where the author wrote what went wrong. */
export type SourceLocation = { pointer: string; file?: string; line?: number; column?: number }

/** Airbyte's types of failures: fixed by the user, by the maintainers, or by waiting. */
export type FailureType = 'config_error' | 'system_error' | 'transient_error'

export type ErrorDetails = {
  at?: SourceLocation | undefined
  hint?: string | undefined
  cause?: unknown
  problems?: readonly Problem[] | undefined
  failureType?: FailureType | undefined
  status?: number | undefined
}

/** One problem of a manifest; a check reports all of them. */
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
  /** Set where the manifest declares it; otherwise derived from the code. */
  readonly failureType: FailureType | undefined
  /** Of the response that was taken for a failure; undefined where there was none. */
  readonly status: number | undefined

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = code
    this.hint = details.hint ?? hints[code]
    this.at = details.at
    this.problems = details.problems ?? []
    this.failureType = details.failureType
    this.status = details.status
  }

  /** For logs and responses; never the stack, never a secret. */
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
