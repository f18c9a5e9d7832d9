/** A small shop: its API on a free port, a manifest for it, and a folder that holds both sides' files. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export type Files = {
  folder: string
  write(name: string, content: unknown): Promise<string>
  [Symbol.asyncDispose](): Promise<void>
}

/** A folder of its own for each test; objects are written as JSON. */
export async function tempFolder(): Promise<Files> {
  const folder = await mkdtemp(join(tmpdir(), 'turnleaf-'))
  return {
    folder,
    async write(name, content) {
      const path = join(folder, name)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
      return path
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

/** The ids in a folder of JSONL files. */
export async function idsIn(folder: string, name: string): Promise<unknown[]> {
  const text = await readFile(join(folder, `${name}.jsonl`), 'utf8')
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.map((line) => (JSON.parse(line) as { id: unknown }).id)
}

/** Five orders, one a day. */
export const orders = [1, 2, 3, 4, 5].map((id) => ({ id, at: `2024-01-0${id}T00:00:00Z` }))

/** Two orders a page, by offset. */
export function ordersFrom(query: URLSearchParams, all: readonly unknown[] = orders) {
  const offset = Number(query.get('offset') ?? 0)
  return { json: { data: all.slice(offset, offset + 2) } }
}

export type StreamParts = { name: string; path?: string; requester?: object; stream?: object; paginator?: object }

/** A stream that reads `data`, two records a page. */
export function stream(
  url: string,
  { name, path = '/orders', requester = {}, stream: rest = {}, paginator = {} }: StreamParts,
): object {
  return {
    type: 'DeclarativeStream',
    name,
    primary_key: 'id',
    retriever: {
      type: 'SimpleRetriever',
      requester: { type: 'HttpRequester', url_base: url, path, http_method: 'GET', ...requester },
      record_selector: { type: 'RecordSelector', extractor: { type: 'DpathExtractor', field_path: ['data'] } },
      paginator: {
        type: 'DefaultPaginator',
        pagination_strategy: { type: 'OffsetIncrement', page_size: 2 },
        page_token_option: { type: 'RequestOption', inject_into: 'request_parameter', field_name: 'offset' },
        ...paginator,
      },
    },
    ...rest,
  }
}

export function manifestOf(streams: readonly object[], rest: object = {}): object {
  const [first] = streams as readonly { name: string }[]
  return {
    version: '6.0.0',
    type: 'DeclarativeSource',
    check: { type: 'CheckStream', stream_names: [first?.name] },
    streams,
    ...rest,
  }
}

/** Each refresh token is replaced by the next one, at `/token`. */
export function rotatingAuth(url: string): object {
  return {
    type: 'OAuthAuthenticator',
    token_refresh_endpoint: `${url}/token`,
    client_id: 'id',
    client_secret: 'cs',
    refresh_token_updater: {},
  }
}

/** A window a day over five days of January. */
export const daily = {
  incremental_sync: {
    type: 'DatetimeBasedCursor',
    cursor_field: 'at',
    datetime_format: '%Y-%m-%dT%H:%M:%SZ',
    start_datetime: '2024-01-01T00:00:00Z',
    end_datetime: '2024-01-04T00:00:00Z',
    step: 'P1D',
    cursor_granularity: 'PT1S',
    start_time_option: { type: 'RequestOption', inject_into: 'request_parameter', field_name: 'since' },
    end_time_option: { type: 'RequestOption', inject_into: 'request_parameter', field_name: 'until' },
  },
}
