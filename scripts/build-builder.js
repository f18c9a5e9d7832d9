/** src/builder → a folder: the web app, its editor in a part of its own. */
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
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 1000,
      // Words to server renderers, of which there is none here; and a busy machine is no fault of the build.
      rolldownOptions: { checks: { moduleLevelDirective: false, bundlerTimings: false } },
    },
  })
}

/** Site and builder wear the same colours, and these are written once. */
async function siteTokens() {
  const { output } = await bundle({ input: 'src/site/tokens.ts', write: false, platform: 'node', tsconfig: false })
  const code = Buffer.from(output[0].code).toString('base64')
  const { tokens } = await import(`data:text/javascript;base64,${code}`)
  return tokens
}
