/**
 * Libraries that few programs need, but that synchronous functions call: in the bundle for Node, each is a file of its own,
 * loaded when something of it is used for the first time. The sources import them as usual, and may run in a browser.
 */
import { rolldown } from 'rolldown'

/** Each with the classes that are used of it; `default` by the MCP SDK. */
const libraries = { ajv: ['Ajv', 'default'], re2js: ['RE2JS'] }

/** A plugin of rolldown. `require` is the only way to load a file synchronously, so the files are CommonJS. */
export const lazyLibraries = {
  name: 'lazy-libraries',
  resolveId: (id) => (Object.hasOwn(libraries, id) ? `\0lazy:${id}` : undefined),
  async load(id) {
    if (!id.startsWith('\0lazy:')) return undefined
    const library = id.slice('\0lazy:'.length)
    const fileName = `libraries/${library}.cjs`
    const file = this.emitFile({ type: 'asset', fileName, source: await bundled(library) })
    return `import { createRequire } from 'node:module'
let loaded
const load = () => (loaded ??= createRequire(import.meta.ROLLUP_FILE_URL_${file})('./${library}.cjs'))
${libraries[library].map((name, index) => `const class${index} = ${standIn(name)}\nexport { class${index} as ${name} }`).join('\n')}
`
  },
}

/** For a class: what is asked of it, the real one does. */
function standIn(name) {
  return `new Proxy(class {}, {
  get: (_, key) => load().${name}[key],
  construct: (_, given) => new (load().${name})(...given),
})`
}

async function bundled(library) {
  const bundle = await rolldown({ input: library, platform: 'node', transform: { target: 'node20' } })
  const { output } = await bundle.generate({ format: 'cjs', comments: { jsdoc: false, legal: true } })
  return output[0].code
}
