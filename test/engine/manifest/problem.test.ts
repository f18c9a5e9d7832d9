import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkManifest } from '../../../src/engine/manifest/check.ts'
import { countProblems, printProblems } from '../../../src/engine/manifest/problem.ts'

const text = `version: "1"
check:
  stream_names: [orders]
streams:
  - name: orders
    retriever:
      requester: {url_base: https://api.test, pth: /orders}
      record_selector: {extractor: {field_path: data}}
`

test('a problem says which, what, where and what next', () => {
  const { problems } = checkManifest(text, { file: 'shop.yaml' })
  assert.equal(
    printProblems(problems),
    `manifest/wrong-type: \`field_path\` is \`data\`; it must be a list.
  at   /streams/0/retriever/record_selector/extractor/field_path  shop.yaml:8:49
  try  Give it a list.

manifest/unknown-field: HttpRequester has no field \`pth\`; it is ignored.
  at   /streams/0/retriever/requester/pth  shop.yaml:7:47
  try  Did you mean \`path\`?

1 error, 1 warning
`,
  )
})

test('with the source, the line is shown; without a file, the line number alone', () => {
  const { problems } = checkManifest(text)
  const printed = printProblems(problems.slice(0, 1), { source: text, paint: (part, role) => `<${role}>${part}</>` })
  assert.match(printed, /^<error>manifest\/wrong-type<\/>: /)
  assert.match(printed, /field_path {2}line 8:49<\/>\n {7}record_selector: \{extractor/)
})

test('counts', () => {
  assert.equal(countProblems([]), 'no problems')
  assert.equal(printProblems([]), 'no problems\n')
})
