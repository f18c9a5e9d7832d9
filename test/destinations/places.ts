/** Every built-in destination, each with an empty place to write to. */
import { after } from 'node:test'
import { freshDatabase } from '../helpers/postgres.ts'
import type { Place } from './behaviours.ts'
import { temporarySchema } from './duckdb/places.ts'
import { jsonlPlace } from './jsonl/place.ts'
import { postgresPlace } from './postgres/place.ts'

let database: ReturnType<typeof freshDatabase> | undefined
after(async () => (await database)?.[Symbol.asyncDispose]())

export const inPostgres = async () => postgresPlace((await (database ??= freshDatabase())).url)

export const everyPlace: Readonly<Record<string, () => Promise<Place>>> = {
  postgres: inPostgres,
  duckdb: () => temporarySchema('duckdb'),
  parquet: () => temporarySchema('parquet'),
  jsonl: jsonlPlace,
}
