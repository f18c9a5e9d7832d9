/** A folder of Parquet files as a destination: what all destinations do, and what only files do. */
import { testBehaviours } from '../behaviours.ts'
import { temporaryPlace } from '../duckdb/places.ts'

testBehaviours('Parquet', () => temporaryPlace('parquet'))
