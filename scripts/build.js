/**
 * src → dist. Runs on `npm ci` too, so that `npx turnleaf` works in a fresh checkout.
 * Types come from the compiler; the programs are bundled, because loading some 200 small modules would take longer
 * than reading the first page. Splitting keeps one copy of each class, whichever entry it is reached through.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'

// A package installed from the registry brings dist/ and no compiler.
if (!existsSync('node_modules/typescript')) process.exit(0)

const { build } = await import('esbuild')
const { buildBuilder } = await import('./build-builder.js')
rmSync('dist', { recursive: true, force: true })
const typed = spawnSync('node_modules/.bin/tsc', ['-p', 'tsconfig.dist.json'], { stdio: 'inherit' })
if (typed.status !== 0) process.exit(typed.status ?? 1)

await build({
  entryPoints: [
    'src/index.ts',
    'src/engine/index.ts',
    'src/cli/main.ts',
    'src/destinations/duckdb/apart/query-process.ts',
  ],
  outdir: 'dist',
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  sourcemap: true,
  // Native, or loaded only by the destination that needs it.
  external: ['esbuild', '@duckdb/node-api', 'pg', 'pg-copy-streams'],
  alias: { undici: './scripts/undici-parts.js' },
  // Bundled CommonJS packages ask for Node's own modules by require().
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'\nconst require = __createRequire(import.meta.url)",
  },
  logLevel: 'warning',
})

await buildBuilder()
