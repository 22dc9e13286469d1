import * as z from 'zod'
import { RUN_IS_KEPT } from './activity-kinds.ts'
import { idParams } from './common.ts'
import { defineApi } from './endpoint.ts'
import { listQuery } from './lists.ts'
import { startedRun } from './runs/chain-runs.ts'
import {
  createScheduleRequest,
  listedSchedule,
  scheduledChain,
  scheduledRun,
  schedulerState,
  updateScheduleRequest,
} from './schedules.ts'

export const schedulesApi = defineApi('schedules', {
  'POST /api/chains/{id}/schedule': {
    who: 'user',
    summary: 'Schedule runs of a chain',
    description:
      'For anyone who may run the chain. It runs as the person who created the schedule. The first run is at the first ' +
      'match at or after `scheduledTime`, which also sets a missing weekday or day of the month.',
    params: idParams,
    body: createScheduleRequest,
    created: scheduledRun,
    errors: [409],
    activity: { kind: 'schedule.created', object: 'schedule' },
  },
  'GET /api/chains/{id}/scheduled-runs': {
    who: 'user',
    summary: 'Schedules of a chain, newest scheduled time first',
    description:
      'Your own, or all of them if you may edit the chain (other people’s without addresses). Your own stay listed ' +
      'if you lose access to the chain. At most 100 per page.',
    params: idParams,
    query: listQuery,
    list: listedSchedule,
  },
  'GET /api/scheduled-chains': {
    who: 'user',
    summary: 'Which chains are scheduled, and when they run next',
    description: 'Of active schedules that the caller may see.',
    reply: z.array(scheduledChain),
  },
  'GET /api/scheduled-runs/{id}': {
    who: 'user',
    summary: 'A schedule with its whole input',
    description: 'With the same fields as in the list.',
    params: idParams,
    reply: scheduledRun,
  },
  'PATCH /api/scheduled-runs/{id}': {
    who: 'user',
    summary: 'Change, activate or deactivate a schedule',
    description:
      'For the person who created it. People who may edit the chain may deactivate it: `{"active": false}`.',
    params: idParams,
    body: updateScheduleRequest,
    reply: scheduledRun,
    errors: [409],
    activity: { kind: 'schedule.changed', object: 'schedule' },
  },
  'DELETE /api/scheduled-runs/{id}': {
    who: 'user',
    summary: 'Delete a schedule',
    description: 'A run in progress continues.',
    params: idParams,
    activity: { kind: 'schedule.deleted', object: 'schedule' },
  },
  'POST /api/scheduled-runs/{id}/execute': {
    who: 'user',
    summary: 'Run a schedule now',
    description:
      'For the person who created it. Its recipients get the result. 409 while one of its runs is in progress, or while an ' +
      'administrator has paused all schedules.',
    params: idParams,
    body: z.strictObject({}).nullish(),
    created: startedRun,
    errors: [409],
    writes: 'unlimited',
    limits: ['runs'],
    activity: { none: RUN_IS_KEPT },
  },
})

export const schedulerApi = defineApi('admin', {
  'GET /api/admin/schedules': {
    who: 'admin',
    summary: 'State of schedules and mail',
    reply: schedulerState,
    errors: [401, 403],
  },
  'POST /api/admin/schedules': {
    who: 'admin',
    summary: 'Pause or resume all schedules',
    description: 'Runs due in the meantime are recorded as skipped.',
    body: z.strictObject({ paused: z.boolean().describe('State to set.') }),
    reply: schedulerState,
    errors: [401, 403],
    activity: { kind: 'schedules.paused', object: 'instance' },
  },
})
