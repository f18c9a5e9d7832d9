/** The parser that its authors publish for llms.txt. */
import { join } from 'node:path'
import { named, parsed, pythonWith, run } from '../cached-tools.js'

const program = `
import json, sys, urllib.request
from llms_txt import parse_llms_file
found = parse_llms_file(urllib.request.urlopen(sys.argv[1]).read().decode())
print(json.dumps({'title': found.title, 'summary': found.summary, 'sections': {name: list(links) for name, links in found.sections.items()}}))
`

export async function llms({ site }) {
  const { title, summary, sections } = parsed(
    await run(join(pythonWith('llms-txt'), 'python'), ['-c', program, `${site}/llms.txt`]),
  )
  const text = await (await fetch(`${site}/llms.txt`)).text()
  const links = Object.values(sections).flat()
  const isWhole =
    links.length === text.match(/^- \[/gm).length && links.every((link) => link.title && link.url && link.desc)
  return [
    {
      tool: named('llms-txt'),
      over: '`/llms.txt`',
      result: `title, summary, ${Object.keys(sections).length} sections, every link with a note`,
      isGreen: title === 'Turnleaf' && summary.length > 50 && isWhole,
      remarks: isWhole ? [] : [`${links.length} links were understood`],
    },
  ]
}
