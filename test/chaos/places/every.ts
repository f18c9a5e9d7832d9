/** Every kind of destination there is. */
import { duckdb } from './duckdb.ts'
import { jsonl } from './jsonl.ts'
import { parquet } from './parquet.ts'
import type { PlaceKind } from './place.ts'
import { postgres } from './postgres.ts'

export const placeKinds: readonly PlaceKind[] = [duckdb, parquet, jsonl, postgres]
