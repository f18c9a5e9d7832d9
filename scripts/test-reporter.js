/** Failures in full as they happen; the counts go to the process that adds them up. */
import { Transform } from 'node:stream'

export const endOfFile = 'the end of a file'

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
  const words = wordsOf(details.error?.cause ?? details.error)
  return `\n✖ ${name}\n  ${file ?? ''}\n${words.replace(/^/gm, '  ')}\n`
}

function wordsOf(error) {
  if (!(error instanceof Error)) return String(error)
  // An error while cleaning up must not hide the one before it.
  const inner = [error.suppressed, error.error, ...(error.errors ?? [])].filter((one) => one instanceof Error)
  return [error.stack ?? error.message, ...inner.map(wordsOf)].join('\n')
}
