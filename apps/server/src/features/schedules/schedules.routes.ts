import {
  createScheduleRequest,
  idParams,
  listedSchedule,
  listQuery,
  pauseSchedulesRequest,
  scheduledChain,
  scheduledRun,
  schedulerState,
  startedRun,
  updateScheduleRequest,
} from '@catenary/contracts'
import * as z from 'zod'
import { defineDeleteRoute } from '../../platform/http/delete-route.ts'
import { errorReplies } from '../../platform/http/errors/error-replies.ts'
import { defineListRoute } from '../../platform/http/list-route.ts'
import type { HttpApp, Routes, RunLimit } from '../../platform/http/routes.ts'
import { adminOnly } from '../../platform/http/security/admin-only.ts'
import { requireAdmin, requireUser } from '../../platform/http/session.ts'
import { createSchedule, deleteSchedule, updateSchedule } from './operations/change-schedule.ts'
import { findSchedule, listScheduledChains, listSchedules } from './operations/read-schedules.ts'
import { runSchedule } from './operations/run-schedule.ts'
import { pauseSchedules, readSchedulerState } from './operations/scheduler-state.ts'
import type { SchedulesDeps } from './schedules-deps.ts'

const tags = ['schedules']

export function schedulesRoutes(deps: SchedulesDeps): Routes {
  return (app, { limitRuns }) => {
    chainRoutes(app, deps)
    scheduleRoutes(app, deps)
    runRoutes(app, deps, limitRuns)
    adminRoutes(app, deps)
  }
}

function chainRoutes(app: HttpApp, deps: SchedulesDeps): void {
  app.post(
    '/api/chains/:id/schedule',
    {
      schema: {
        tags,
        summary: 'Schedule runs of a chain',
        description:
          'For whoever may run the chain; it runs as the person who made the schedule. The first time is the first ' +
          'match at or after `scheduledTime`, which also gives a missing weekday or day of the month.',
        params: idParams,
        body: createScheduleRequest,
        response: { 201: scheduledRun, ...errorReplies(409) },
      },
    },
    async (request, reply) => {
      const user = await requireUser(request)
      const created = await createSchedule(deps, { chainId: request.params.id, user, fields: request.body })
      return reply.code(201).send(created)
    },
  )

  defineListRoute(app, '/api/chains/:id/scheduled-runs', {
    tags,
    summary: 'Schedules of a chain, newest scheduled time first',
    description:
      'One’s own; for people who may edit the chain all of them, others’ without addresses. Own ones stay here ' +
      'when access to the chain was lost. At most 100 a page.',
    params: idParams,
    querystring: listQuery,
    item: listedSchedule,
    read: async (call) =>
      listSchedules(deps, { chainId: call.params.id, user: await requireUser(call), query: call.query }),
  })

  app.get(
    '/api/scheduled-chains',
    {
      schema: {
        tags,
        summary: 'Which chains are scheduled, and when next',
        description: 'Of active schedules that the caller may see.',
        response: { 200: z.array(scheduledChain) },
      },
    },
    async (request) => listScheduledChains(deps, await requireUser(request)),
  )
}

function scheduleRoutes(app: HttpApp, deps: SchedulesDeps): void {
  app.get(
    '/api/scheduled-runs/:id',
    {
      schema: {
        tags,
        summary: 'A schedule with its whole input',
        description: 'As its list shows it to the caller.',
        params: idParams,
        response: { 200: scheduledRun },
      },
    },
    async (request) => findSchedule(deps, { id: request.params.id, user: await requireUser(request) }),
  )

  app.patch(
    '/api/scheduled-runs/:id',
    {
      schema: {
        tags,
        summary: 'Change, activate or deactivate a schedule',
        description:
          'For the person who made it; people who may edit the chain may deactivate it: `{"active": false}`.',
        params: idParams,
        body: updateScheduleRequest,
        response: { 200: scheduledRun, ...errorReplies(409) },
      },
    },
    async (request) => {
      const { revision, ...fields } = request.body
      return updateSchedule(deps, {
        id: request.params.id,
        user: await requireUser(request),
        revision,
        fields,
      })
    },
  )

  defineDeleteRoute(app, '/api/scheduled-runs/:id', {
    tags,
    summary: 'Delete a schedule',
    description: 'A run under way goes on.',
    params: idParams,
    remove: async (call) => deleteSchedule(deps, { id: call.params.id, user: await requireUser(call) }),
  })
}

function runRoutes(app: HttpApp, deps: SchedulesDeps, limitRuns: RunLimit): void {
  app.post(
    '/api/scheduled-runs/:id/execute',
    {
      config: { writes: 'unlimited' },
      onRequest: limitRuns,
      schema: {
        tags,
        summary: 'Run a schedule now',
        description:
          'For the person who made it. Its recipients get the result. 409 while a run of it goes on, or while an ' +
          'administrator has paused all schedules.',
        params: idParams,
        body: z.strictObject({}).nullish(),
        response: { 201: startedRun, ...errorReplies(409) },
      },
    },
    async (request, reply) => {
      const user = await requireUser(request)
      return reply.code(201).send(await runSchedule(deps, { id: request.params.id, user }))
    },
  )
}

function adminRoutes(app: HttpApp, deps: SchedulesDeps): void {
  const path = '/api/admin/schedules'
  const response = { 200: schedulerState, ...errorReplies(401, 403) }

  app.get(
    path,
    {
      ...adminOnly,
      schema: { tags: ['admin'], summary: 'Whether schedules fire, and how mail does', response },
    },
    () => readSchedulerState(deps),
  )

  app.post(
    path,
    {
      ...adminOnly,
      schema: {
        tags: ['admin'],
        summary: 'Pause all schedules, or let them go on',
        description: 'Runs due in the meantime are recorded as skipped.',
        body: pauseSchedulesRequest,
        response,
      },
    },
    async (request) => {
      const { paused } = request.body
      return pauseSchedules(deps, { paused, user: await requireAdmin(request) })
    },
  )
}
