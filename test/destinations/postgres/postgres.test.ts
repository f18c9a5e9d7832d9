/** Postgres as a destination: what all destinations do. */
import { after } from 'node:test'
import { freshDatabase } from '../../helpers/postgres.ts'
import { testBehaviours } from '../behaviours.ts'
import { postgresPlace } from './place.ts'

let database: ReturnType<typeof freshDatabase> | undefined
const url = async () => (await (database ??= freshDatabase())).url
after(async () => (await database)?.[Symbol.asyncDispose]())

testBehaviours('Postgres', async () => postgresPlace(await url()))
