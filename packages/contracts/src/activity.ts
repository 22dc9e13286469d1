import * as z from 'zod'
import { ACTIVITY_DOORS, ACTIVITY_OBJECTS } from './activity-kinds.ts'
import { idParam, MAX_ID, timestamp } from './common.ts'
import { defineApi } from './endpoint.ts'
import { listQuery } from './lists.ts'

const NO_TIME = 'Must be an ISO 8601 time, such as 2026-11-22T08:00:00Z'

const time = z.iso
  .datetime({ offset: true, error: NO_TIME })
  // Databases know no year 0.
  .refine((text) => text > '0001', NO_TIME)
  .optional()

/** `<type>` or `<type>:<id>`. */
const OBJECT = new RegExp(`^(${ACTIVITY_OBJECTS.join('|')})(:[1-9][0-9]{0,8})?$`)
const KIND = /^[a-z_]{1,40}\.[a-z_]{1,60}$/

export const activityQuery = listQuery.extend({
  from: time.describe('What was done at this time or later.'),
  to: time.describe('What was done before this time.'),
  person: idParam.optional().describe('Id of who did it.'),
  kind: z
    .string()
    .regex(KIND, 'Must be a kind, such as account.signed_in')
    .optional()
    .describe('What was done, as in the rows.'),
  object: z
    .string()
    .regex(OBJECT, 'Must be a type of object, alone or with an id, such as prompt or prompt:12')
    .optional()
    .describe('What it was done to: `prompt` for all prompts, `prompt:12` for one.'),
  door: z.enum(ACTIVITY_DOORS).optional().describe('How they came in.'),
  refused: z.literal('only').optional().describe('only: what was refused.'),
  format: z
    .enum(['json', 'csv', 'jsonl'])
    .default('json')
    .describe('json: a page of rows. csv, jsonl: a file of all of them; limit and cursor are ignored.'),
})
export type ActivityQuery = z.output<typeof activityQuery>
export type ActivityFilter = Omit<ActivityQuery, 'limit' | 'cursor' | 'format'>

const fields = z
  .record(z.string(), z.unknown())
  .nullable()
  .describe('Fields of settings; null: none, or they are not kept.')

export const activityRow = z.object({
  id: z.int().describe('Increases with each row.'),
  at: timestamp,
  person: z
    .object({
      id: z.int().describe('Stays when the account is deleted.'),
      username: z.string().nullable().describe('null: the person was deleted.'),
    })
    .nullable()
    .describe('Who did it; null: nobody who is known, or the program itself.'),
  kind: z.string().describe('`<object>.<what was done>`; refused ones end in `_refused`.'),
  object: z
    .object({
      type: z.enum(ACTIVITY_OBJECTS).describe('What kind of thing it was done to.'),
      id: z.int().max(MAX_ID).nullable().describe('Its id; null: it has none, or there were several.'),
      name: z
        .string()
        .nullable()
        .describe('Its current name; null: it was deleted, has no name, or the caller can’t see it.'),
    })
    .describe('What it was done to.'),
  door: z
    .enum(ACTIVITY_DOORS)
    .nullable()
    .describe('How they came in; job: the program itself. null: not recorded at the time.'),
  address: z
    .string()
    .nullable()
    .describe('Network address; null: none, or the caller is neither that person nor an administrator.'),
  before: fields,
  after: fields,
  reason: z
    .string()
    .nullable()
    .describe('Why a label was moved; null: nothing was said, or the caller can’t see the record.'),
  count: z.int().describe('How many alike, for refusals; otherwise 1.'),
  link: z
    .object({
      number: z.int().describe('Its place in the chain, from 1.'),
      hash: z.string().describe('SHA-256 of the row and of the link before.'),
    })
    .nullable()
    .describe('Its place in the chain that shows changes by hand; null: it follows within a minute.'),
})
export type ActivityRow = z.infer<typeof activityRow>

export const activityState = z.object({
  linkedUntil: timestamp
    .nullable()
    .describe('When rows were last linked: what was written by then is in the chain. null: nothing is yet.'),
  keptDays: z.int().nullable().describe('Days for which rows are kept; null: forever.'),
})
export type ActivityState = z.infer<typeof activityState>

const ROWS = {
  query: activityQuery,
  list: activityRow,
  sends: { 200: z.array(activityRow) },
  produces: ['application/json', 'text/csv', 'application/jsonl'],
  crossSiteCheck: true,
  noStore: true,
} as const

export const activityApi = defineApi('activity', {
  'GET /api/activity': {
    ...ROWS,
    who: 'user',
    summary: 'What you did, and what others did to what is yours',
    description: 'Newest first. Addresses of others are left out. A file is recorded as an export.',
    errors: [401],
    activity: { kind: 'activity.exported', object: 'account' },
  },
  'GET /api/activity/state': {
    who: 'user',
    summary: 'Up to when the activity is chained, and how long it is kept',
    reply: activityState,
    errors: [401],
  },
  'GET /api/admin/activity': {
    ...ROWS,
    who: 'admin',
    summary: 'Who did what, in the whole installation',
    description:
      'Newest first. Names of records that the caller can’t see are left out. A file is recorded as an export.',
    errors: [401, 403],
    activity: { kind: 'activity.exported', object: 'instance' },
  },
})
