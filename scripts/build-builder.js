/** src/builder → a folder: the web app: the list of connectors, and the other parts, each loaded when it is shown. */
import { resolve } from 'node:path'
import { build as bundle } from 'rolldown'
import { build } from 'vite'

export async function buildBuilder(folder) {
  const tokens = await siteTokens()
  await build({
    configFile: false,
    root: 'src/builder',
    publicDir: false,
    logLevel: 'warn',
    plugins: [{ name: 'tokens', transform: (code, id) => (id.endsWith('tokens.css') ? tokens : undefined) }],
    build: {
      outDir: resolve(folder),
      emptyOutDir: true,
      target: 'es2022',
      // Small pictures too come as files: the page's policy allows nothing inline.
      assetsInlineLimit: 0,
      // One sheet, whatever is loaded first: the order of rules decides between them.
      cssCodeSplit: false,
      modulePreload: { polyfill: false },
      // For the server, which names in advance what a page needs.
      manifest: 'files.json',
      chunkSizeWarningLimit: 1000,
      // Words to server renderers, of which there is none here; and a busy machine is no fault of the build.
      rolldownOptions: {
        checks: { moduleLevelDirective: false, bundlerTimings: false },
        // What the parts of the editor share is one file, instead of one for each combination of parts.
        output: {
          codeSplitting: {
            includeDependenciesRecursively: false,
            groups: [{ name: 'shared', test: isOfEditor, minShareCount: 2 }],
          },
        },
      },
    },
  })
}

/** Not what the list of connectors needs as well, which is loaded first. */
function isOfEditor(id) {
  return editorModules.test(id) && !listModules.test(id)
}

const editorModules =
  /\/src\/(document|builder\/(session|fields|templates|background|editor|settings|stream|test-reads|proofs|detection|yaml))\/.*\.tsx?$/
const listModules = /\/(document\/value-path|session\/(inputs|tab-configs)|editor\/(exports|banner))\.tsx?$/

/** Site and builder wear the same colours, and these are written once. */
async function siteTokens() {
  const { output } = await bundle({ input: 'src/site/tokens.ts', write: false, platform: 'node', tsconfig: false })
  const code = Buffer.from(output[0].code).toString('base64')
  const { tokens } = await import(`data:text/javascript;base64,${code}`)
  return tokens
}
