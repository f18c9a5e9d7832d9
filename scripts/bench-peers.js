/** Compiles, then measures Turnleaf next to others. In one process, so that Ctrl-C reaches what has to be ended. */
import { compile } from './compile.js'

compile()
const { main } = await import('../build/benchmarks/peers/main.js')
process.exitCode = await main(process.argv.slice(2))
