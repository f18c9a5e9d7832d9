/** Program to be killed: continues committing where the last one stopped, and reports when it begins. */
import { goOn } from '../model.ts'
import { placeAt } from './places.ts'

const [, , kind = '', folder = '', seed = ''] = process.argv
const open = await placeAt(kind, folder).destination.open('shop')
console.log('open')
await goOn(open, Number(seed), Infinity)
