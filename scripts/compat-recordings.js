/** Records and tests public manifests of a folder, and counts which broken pagination the tests notice. */
import { runBuilt } from './run-built.js'

runBuilt('compat/recorded-tests.js', { dist: 'not' })
