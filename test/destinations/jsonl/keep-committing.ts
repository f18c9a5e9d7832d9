/** Program of its own, to be killed: goes on committing where the last one stopped, and says when it begins. */
import { jsonlDestination } from '../../../src/destinations/jsonl/jsonl.ts'
import { goOn } from './operations.ts'

const opened = await jsonlDestination(process.argv[2] ?? '').open('shop')
console.log('open')
await goOn(opened, Infinity)
