/** Failures in full as they happen; the counts go to the process that adds them up. */
import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { relative } from 'node:path'
import { Transform } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { endOfFile } from './test-file-end.js'

let passed = 0
let failed = 0
let skipped = 0

export default new Transform({
  writableObjectMode: true,
  transform({ type, data }, _encoding, done) {
    done(null, lineOf(type, data))
  },
  flush(done) {
    process.send({ counts: { passed, failed, skipped } }, () => done())
  },
})

function lineOf(type, data) {
  if (type === 'test:stderr' || type === 'test:stdout') return data.message
  if (type !== 'test:pass' && type !== 'test:fail') return ''
  if (data.details.type === 'suite' && type === 'test:pass') return ''
  if (data.name === endOfFile && data.nesting === 0) return ''
  if (data.skip !== undefined || data.todo !== undefined) skipped++
  else if (type === 'test:pass') passed++
  else failed++
  return type === 'test:pass' ? '' : failureOf(data)
}

function failureOf({ name, file, details }) {
  const words = inSources(wordsOf(details.error?.cause ?? details.error))
  return `\n✖ ${name}\n  ${file ?? ''}\n${words.replace(/^/gm, '  ')}\n`
}

/** Places in build/ → in the sources. Node does so itself with --enable-source-maps, for a tenth of the whole time. */
function inSources(words) {
  return words.replace(/(?:file:\/\/)?(\/[^\s():]+\.js):(\d+):(\d+)/g, (place, path, line, column) => {
    const map = mapOf(path)
    const { originalSource, originalLine, originalColumn } = map?.findEntry(Number(line) - 1, Number(column) - 1) ?? {}
    if (originalSource === undefined) return place
    const source = relative('.', fileURLToPath(new URL(originalSource, `file://${path}`)))
    return `${source}:${originalLine + 1}:${originalColumn + 1}`
  })
}

const maps = new Map()

function mapOf(path) {
  if (!maps.has(path)) {
    const file = `${path}.map`
    maps.set(path, existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, 'utf8'))) : undefined)
  }
  return maps.get(path)
}

function wordsOf(error) {
  if (!(error instanceof Error)) return String(error)
  // An error while cleaning up must not hide the one before it.
  const inner = [error.suppressed, error.error, ...(error.errors ?? [])].filter((one) => one instanceof Error)
  return [error.stack ?? error.message, ...inner.map(wordsOf)].join('\n')
}
