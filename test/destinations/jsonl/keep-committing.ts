/** Program to be killed: continues committing where the last one stopped, and reports when it begins. */
import { jsonlDestination } from '../../../src/destinations/jsonl/jsonl.ts'
import { goOn } from './operations.ts'

const opened = await jsonlDestination(process.argv[2] ?? '').open('shop')
console.log('open')
await goOn(opened, Infinity)
