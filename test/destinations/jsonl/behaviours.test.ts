/** A folder of JSONL files does what every destination does. */
import { testBehaviours } from '../behaviours.ts'
import { jsonlPlace } from './place.ts'

testBehaviours('jsonl', jsonlPlace)
