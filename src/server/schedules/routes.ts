/** Schedules of connections. */
import { z } from 'zod'
import { empty, json } from '../responses.ts'
import { type Route, route } from '../route.ts'
import { connectionName, runner, schedule, scheduleRequest } from '../wire/schedule.ts'
import type { Schedules } from './schedules.ts'

const named = z.object({ connection: connectionName })

export function scheduleRoutes(schedules: Schedules): readonly Route[] {
  const one = { 200: { description: 'The schedule.', body: schedule } }
  return [
    route({
      method: 'get',
      path: '/v1/schedules',
      id: 'listSchedules',
      tag: 'schedules',
      summary: 'List the schedules, with their next time and last run',
      description: 'A connection whose file has an error is listed with its problem.',
      responses: { 200: { description: 'By connection.', body: z.object({ schedules: z.array(schedule), runner }) } },
      handle: async () => json({ schedules: await schedules.list(), runner: schedules.runner() }),
    }),
    route({
      method: 'put',
      path: '/v1/schedules/{connection}',
      id: 'setSchedule',
      tag: 'schedules',
      summary: 'Add the schedule of a connection, or replace it',
      description: 'Either `every` or `cron`. It is written to the folder of the connection.',
      takes: { path: named, body: scheduleRequest },
      responses: one,
      problems: [404, 422],
      handle: async ({ path: { connection }, body }) => json(await schedules.set(connection, defined(body))),
    }),
    route({
      method: 'delete',
      path: '/v1/schedules/{connection}',
      id: 'removeSchedule',
      tag: 'schedules',
      summary: 'Remove the schedule of a connection; a run in progress continues',
      description: 'The connection, its tables and its checkpoints stay.',
      takes: { path: named },
      responses: { 204: { description: 'Removed.' } },
      problems: [404, 422],
      async handle({ path: { connection } }) {
        await schedules.remove(connection)
        return empty()
      },
    }),
    ...(['pause', 'resume'] as const).map((verb) =>
      route({
        method: 'post',
        path: `/v1/schedules/{connection}/${verb}`,
        id: `${verb}Schedule`,
        tag: 'schedules',
        summary:
          verb === 'pause' ? 'Pause a schedule; a run in progress continues' : 'Resume a schedule that is paused',
        description:
          verb === 'pause'
            ? 'No run starts until it is resumed.'
            : 'Times that passed meanwhile are made up for by one run, which starts at once.',
        takes: { path: named },
        responses: one,
        problems: [404, 422],
        handle: async ({ path: { connection } }) => json(await schedules.pause(connection, verb === 'pause')),
      }),
    ),
    route({
      method: 'post',
      path: '/v1/schedules/{connection}/run',
      id: 'runSchedule',
      tag: 'schedules',
      summary: 'Sync the connection now',
      description: 'Runs in the background; the list shows how it ends.',
      takes: { path: named },
      responses: { 202: { description: 'Started.', body: schedule } },
      problems: [404, 422, 429],
      handle: async ({ path: { connection } }) => json(await schedules.run(connection), 202),
    }),
  ]
}

/** Without members that are absent. */
export function defined<T extends object>(body: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as never
}
