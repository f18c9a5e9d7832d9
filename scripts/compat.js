/** Runs every manifest of a folder against a server that answers as their APIs would. */
import { runBuilt } from './run-built.js'

runBuilt('compat/main.js', { dist: 'not' })
