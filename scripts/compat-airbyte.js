/** Reads streams of public manifests with Turnleaf and with airbyte-cdk, and compares. */
import { runBuilt } from './run-built.js'

runBuilt('compat/airbyte/main.js', { dist: 'not' })
