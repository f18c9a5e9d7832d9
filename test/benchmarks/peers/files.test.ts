/** Tables and pictures: what they show is what was measured, and those in the repository are those of the last whole run. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { SaxesParser } from 'saxes'
import { readResults, type Results } from '../../../benchmarks/peers/results.ts'
import { siteFiguresOf } from '../../../benchmarks/peers/site-figures.ts'
import { firstMark, lastMark, tablesOf, withTables } from '../../../benchmarks/peers/tables.ts'
import { filesOf } from '../../../benchmarks/peers/write.ts'
import { expectedRecords, workloads } from '../../../benchmarks/peers/workloads.ts'
import { chartFile, drawChart, type PeerChart } from '../../../src/site/homepage/peer-picture.ts'

test('tables, pictures and figures in the repository are those of results.json: `npm run bench:peers -- --write` makes them', () => {
  const files = filesOf(readResults())
  assert.equal(files.size, 6)
  for (const [path, text] of files) assert.equal(readFileSync(path, 'utf8'), text, path)
})

test('results.json is of a whole run: every workload, every reader, every round, every record', () => {
  const { workloads: measured } = readResults()
  assert.deepEqual(
    measured.map(({ name, records }) => [name, records]),
    workloads.map((workload) => [workload.name, expectedRecords(workload)]),
  )
  for (const [index, { seconds }] of measured.entries()) {
    const { readers, rounds } = workloads[index] as (typeof workloads)[number]
    assert.deepEqual(Object.keys(seconds).toSorted(), readers.toSorted())
    for (const times of Object.values(seconds)) assert.equal(times.filter((one) => one > 0).length, rounds)
  }
})

const small: Results = {
  date: '2026-01-02',
  machine: { cpu: 'CPU <1>', cores: 2, system: 'Linux 6' },
  versions: { Turnleaf: '1.0.0', dlt: '2.0.0' },
  workloads: [
    {
      name: 'read',
      records: 1000,
      seconds: {
        turnleaf: [0.1, 0.2, 0.1],
        'airbyte-cdk': [1, 1.6, 0.5],
        dlt: [0.2, 0.3, 0.2],
        undici: [0.05, 0.05, 0.05],
      },
    },
    { name: 'latency-100', records: 1000, seconds: { turnleaf: [1, 1, 1], dlt: [14, 12, 10] } },
    { name: 'start', records: 950, seconds: { turnleaf: [0.3, 0.2, 0.1], 'airbyte-cdk': [2, 2, 2] } },
  ],
}

suite('tables', () => {
  const text = tablesOf(small)
  test('show the median, the spread, the median of the ratios of each round, and whether the aim is met', () => {
    for (const line of [
      '| Turnleaf | 10,000 | 5,000 to 10,000 |  |  |',
      '| bare undici loop | 20,000 | 20,000 to 20,000 | 0.50 times as fast |  |',
      '| dlt | 5,000 | 3,333 to 5,000 | 2.00 times as fast | 3: missed |',
      '| airbyte-cdk | 1,000 | 625 to 2,000 | 8.00 times as fast | 8: met |',
      '| dlt | 83 | 71 to 100 | 12.0 times as fast | 12: met |',
      '| airbyte-cdk | 2,000 | 2,000 to 2,000 | 0.10 of its time | 0.2 at most: met |',
    ]) {
      assert.ok(text.includes(`\n${line}`), `${line}\nis not in\n${text}`)
    }
  })
  test('leave out what a reader does not do, and name versions and machine', () => {
    assert.doesNotMatch(text, /singer-sdk|Into a DuckDB file/)
    assert.match(text, /^Measured on 2026-01-02, 2 cores of CPU <1>, Linux 6: Turnleaf 1\.0\.0, dlt 2\.0\.0\.$/m)
  })
  test('take the place of those between the marks, and only that', () => {
    const page = withTables(`before\n${firstMark}\nold\n${lastMark}\nafter\n`, small)
    assert.equal(page, `before\n${firstMark}\n\n${text}\n\n${lastMark}\nafter\n`)
    assert.equal(withTables(page, small), page)
    assert.throws(() => withTables('no marks', small), /has no <!-- peers/)
  })
})

suite('the figures of the homepage', () => {
  const { charts, table } = siteFiguresOf(small)
  test('are the medians, the fastest first, and a dash for what was not measured', () => {
    assert.deepEqual(
      charts.map(({ id, bars }) => [id, bars.map(({ label, value }) => `${label} ${value}`)]),
      [
        ['read', ['bare undici loop 20000', 'Turnleaf 10000', 'dlt 5000', 'airbyte-cdk 1000']],
        ['latency-100', ['Turnleaf 1000', 'dlt 83']],
      ],
    )
    assert.deepEqual(table.rows[0], ['Turnleaf', '10,000', '1,000', '–', '200'])
    assert.deepEqual(
      table.rows.find(([name]) => name === 'got'),
      ['got', '–', '–', '–', '–'],
    )
  })
})

type Element = { readonly name: string; readonly attributes: Record<string, string>; text: string }

/** Throws where it is not well-formed XML. */
function elementsOf(svg: string): Element[] {
  const found: Element[] = []
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => found.push({ name, attributes, text: '' }))
  parser.on('text', (text) => {
    const last = found.at(-1)
    if (last !== undefined) last.text += text.trim()
  })
  parser.write(svg).close()
  return found
}

suite('a chart', () => {
  const chart: PeerChart = {
    id: 'read',
    title: 'Records per second',
    subtitle: '10 pages',
    bars: [
      { label: 'a < b & c', value: 8000, isOurs: false },
      { label: 'Turnleaf', value: 6000, isOurs: true },
      { label: 'slow', value: 4, isOurs: false },
    ],
  }
  const elements = elementsOf(drawChart(chart, 'light'))
  const number = ({ attributes }: Element, name: string) => Number(attributes[name] ?? 0)

  test('has bars from 0 that are as long as their values, on an axis from 0', () => {
    const bars = elements.filter(({ name }) => name === 'rect')
    assert.deepEqual(
      bars.map((bar) => [number(bar, 'x'), number(bar, 'width')]),
      // 10,000 is the end of the axis, at 400; a bar that would be too short to be seen is 1 wide.
      [
        [0, 320],
        [0, 240],
        [0, 1],
      ],
    )
    const texts = elements.filter(({ name }) => name === 'text').map(({ text }) => text)
    assert.deepEqual(texts.slice(-3), ['0', '5,000', '10,000'])
  })
  test('prints every name and value, and describes itself for those who do not see it', () => {
    const texts = elements.filter(({ name }) => name === 'text').map(({ text }) => text)
    assert.deepEqual(texts.slice(0, 8), [
      'Records per second',
      '10 pages',
      'a < b & c',
      '8,000',
      'Turnleaf',
      '6,000',
      'slow',
      '4',
    ])
    const title = elements.find(({ name }) => name === 'title')?.text
    assert.equal(title, 'Records per second, 10 pages: a < b & c 8,000, Turnleaf 6,000, slow 4.')
  })
  test('keeps everything within its frame, rows apart, and nothing smaller than 15 of 400', () => {
    const [root] = elements as [Element]
    assert.equal(root.attributes['viewBox'], `0 0 ${root.attributes['width']} ${root.attributes['height']}`)
    assert.equal(number(root, 'width'), 400)
    assert.equal(root.attributes['font-size'], '15')
    const texts = elements.filter(({ name }) => name === 'text')
    for (const text of texts) {
      assert.ok(number(text, 'y') <= number(root, 'height') - 4, `${text.text} at ${number(text, 'y')}`)
      assert.ok(Number(text.attributes['font-size'] ?? 15) >= 15, text.text)
    }
    const lines = [...new Set(texts.map((text) => number(text, 'y')))]
    for (const [index, y] of lines.slice(1).entries()) assert.ok(y - (lines[index] as number) >= 20, lines.join())
  })
  test('is drawn in other colours for dark pages, and has a file name for each', () => {
    assert.notEqual(drawChart(chart, 'dark'), drawChart(chart, 'light'))
    const withoutColours = (svg: string) => svg.replaceAll(/#[0-9a-f]{3,6}/g, '#')
    assert.equal(withoutColours(drawChart(chart, 'dark')), withoutColours(drawChart(chart, 'light')))
    assert.equal(chartFile(chart, 'dark'), 'speed-read-dark.svg')
  })
})
