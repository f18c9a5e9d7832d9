/** Results of tests → text for people, TAP 13, or JUnit XML. */
import { basename, relative, resolve } from 'node:path'
import type { ConnectorTest, StreamTest } from '../../recordings/test-connector.ts'
import { count } from '../../std/text/format-count.ts'
import { type colours, harmless, oneLine } from './print.ts'

type Paint = typeof colours

/** One stream, with a line for each difference. */
export function textOfTest(folder: string, test: StreamTest, paint: Paint): string {
  const { stream, outcome, requests, records } = test
  const words = { passed: paint.green('passed '), failed: paint.red('failed '), updated: paint.yellow('updated') }
  const what = outcome === 'passed' ? paint.dim(`  ${count(requests, 'request')}, ${count(records, 'record')}`) : ''
  const title = `${words[outcome]} ${oneLine(nameOf(folder))} › ${oneLine(stream)}${what}`
  return `${[title, ...test.notes.map((note) => `  note: ${oneLine(note)}`), ...detailsOf(test, paint)].join('\n')}\n`
}

function detailsOf({ differences }: StreamTest, paint: Paint): string[] {
  return differences.flatMap(({ in: where, says, lines }) => [
    `  ${where}: ${oneLine(says)}`,
    ...lines.map((line) => `    ${painted(oneLine(line), paint)}`),
  ])
}

function painted(line: string, paint: Paint): string {
  if (line.startsWith('- ')) return paint.red(line)
  return line.startsWith('+ ') ? paint.green(line) : paint.dim(line)
}

function nameOf(folder: string): string {
  const path = relative(process.cwd(), folder)
  return path === '' ? basename(resolve(folder)) : path
}

export function sumOf(tests: readonly ConnectorTest[]): string {
  const all = tests.flatMap(({ results }) => results)
  const many = (outcome: StreamTest['outcome']) => all.filter((one) => one.outcome === outcome).length
  const updated = many('updated') === 0 ? '' : `, ${many('updated')} updated`
  return `${count(all.length, 'test')}: ${many('passed')} passed, ${many('failed')} failed${updated}.`
}

/** https://testanything.org/tap-version-13-specification.html */
export function tapReport(tests: readonly ConnectorTest[]): string {
  const all = tests.flatMap(({ folder, results }) => results.map((test) => ({ folder, test })))
  const lines = all.flatMap(({ folder, test }, index) => {
    const name = `${nameOf(folder)} - ${test.stream}`.replaceAll(/[#\\]/g, '\\$&')
    const title = `${test.outcome === 'failed' ? 'not ok' : 'ok'} ${index + 1} - ${oneLine(name)}`
    return test.outcome === 'failed' ? [title, ...plainDetails(test).map((line) => `# ${line}`)] : [title]
  })
  return ['TAP version 13', `1..${all.length}`, ...lines].map((line) => `${line}\n`).join('')
}

export function junitReport(tests: readonly ConnectorTest[]): string {
  const suites = tests.map(({ folder, results }) => {
    const failed = results.filter(({ outcome }) => outcome === 'failed').length
    const seconds = results.reduce((sum, { tookMs }) => sum + tookMs, 0) / 1000
    const name = attribute(nameOf(folder))
    const counts = `tests="${results.length}" failures="${failed}" errors="0" time="${seconds}"`
    const cases = results.map((test) => junitCase(nameOf(folder), test)).join('')
    return `  <testsuite name="${name}" ${counts}>\n${cases}  </testsuite>\n`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="turnleaf">\n${suites.join('')}</testsuites>\n`
}

function junitCase(suite: string, test: StreamTest): string {
  const { stream, outcome, tookMs, differences } = test
  const opening = `    <testcase classname="${attribute(suite)}" name="${attribute(stream)}" time="${tookMs / 1000}"`
  if (outcome !== 'failed') return `${opening}/>\n`
  const message = attribute(differences.map(({ says }) => says).join(' '))
  const details = escaped(plainDetails(test).join('\n'))
  return `${opening}>\n      <failure message="${message}">${details}</failure>\n    </testcase>\n`
}

function plainDetails({ differences }: StreamTest): string[] {
  return differences.flatMap(({ in: where, says, lines }) => [`${where}: ${oneLine(says)}`, ...lines.map(oneLine)])
}

/** XML has no way to write other control characters. */
function escaped(text: string): string {
  const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  return harmless(text).replaceAll(/[&<>"]/g, (character) => entities[character] ?? character)
}

function attribute(text: string): string {
  return escaped(oneLine(text))
}
