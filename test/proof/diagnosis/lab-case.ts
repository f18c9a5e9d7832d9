/** The lab's own manifest with one thing wrong in it, diagnosed against the real lab. */
import { readFileSync } from 'node:fs'
import { follow } from '../../../src/document/follow.ts'
import { openDocument } from '../../../src/document/open-document.ts'
import { streamsIn } from '../../../src/document/stream-paths.ts'
import { applyEdits } from '../../../src/proof/diagnosis/apply-edits.ts'
import { diagnose, type DiagnoseOptions } from '../../../src/proof/diagnosis/diagnose.ts'
import type { Diagnosis } from '../../../src/proof/diagnosis/diagnosis.ts'
import { startLab } from '../../../src/lab/lab.ts'

export const labText = readFileSync('connectors/lab/manifest.yaml', 'utf8')

/** The same with one of its streams: a diagnosis loads the manifest again for each change that it tries. */
export function labTextOf(stream: string): string {
  const [frame = '', ...streams] = labText.split(/^(?= {2}- type: DeclarativeStream$)|^(?=spec:$)/m)
  const own = streams.find((text) => text.includes(`\n    name: ${stream}\n`))
  if (own === undefined) throw new Error(`no stream ${stream}`)
  return frame.replace('stream_names: [offset]', `stream_names: [${stream}]`) + own + streams.at(-1)
}

type Path = readonly (string | number)[]
export type Broken = { readonly [path: string]: unknown }

/** `{ 'paginator.pagination_strategy.page_size': 500 }` in the retriever of a stream; undefined takes out. */
export function broken(stream: string, changes: Broken, text = labText): string {
  const at = pathOf(stream, text)
  const edits = Object.entries(changes).map(([path, value]) => ({
    path: [...at, 'retriever', ...path.split('.')],
    value,
  }))
  return applyEdits(text, edits)
}

function pathOf(stream: string, text: string): Path {
  const found = streamsIn(openDocument(text).value).find(({ name }) => name === stream)
  if (found === undefined) throw new Error(`no stream ${stream}`)
  return found.path
}

/** What is in the retriever of a stream. */
export function writtenAt(text: string, stream: string, path: string): unknown {
  return follow(openDocument(text).value, [...pathOf(stream, text), 'retriever', ...path.split('.')]).value
}

export type LabCase = DiagnoseOptions & { readonly size?: number; readonly pageSize?: number }

export async function diagnoseLab(stream: string, text: string, options: LabCase = {}): Promise<Diagnosis> {
  const { size = 250, pageSize = 100, ...others } = options
  await using lab = await startLab({ size })
  return await diagnose(text, { stream, config: { base_url: lab.url, page_size: pageSize }, ...others })
}

/** `code: what is fixed by what`, in one line. */
export function brief({ findings }: Diagnosis): string[] {
  return findings.map(
    ({ code, fix }) => `${code}: ${fix === null ? 'no fix' : `${fix.says} ${fix.retest?.says ?? ''}`}`,
  )
}
