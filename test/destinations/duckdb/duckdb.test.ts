/** DuckDB as a destination: what all destinations do, and what only a file of tables does. */
import { testBehaviours } from '../behaviours.ts'
import { temporaryPlace } from './places.ts'

testBehaviours('DuckDB', () => temporaryPlace('duckdb'))
