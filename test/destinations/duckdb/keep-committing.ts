/** Program of its own, to be killed: goes on committing where the last one stopped, and says when it begins. */
import { goOn } from '../model.ts'
import { placeAt } from './places.ts'

const [, , kind = '', folder = '', seed = ''] = process.argv
const open = await placeAt(kind, folder).destination.open('shop')
console.log('open')
await goOn(open, Number(seed), Infinity)
