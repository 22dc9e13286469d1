import * as z from 'zod'
import { idParams } from '../common.ts'
import { defineApi } from '../endpoint.ts'

/** Chain runs at once in one process; a person's take at most three quarters of them. */
export const CHAIN_RUNS_AT_ONCE = 64
/** Model calls at once, of which each process has its part; of that a person's take at most three quarters of them. */
export const MODEL_CALLS_AT_ONCE = 128

/** What one person may keep, unless `QUOTAS` or an admin says otherwise. */
export const KEPT_QUOTAS = {
  /** Bytes of prompts and their versions, chains and their steps, variables, tests, and names. */
  text: 200_000_000,
  prompts: 10_000,
  versions: 50_000,
  variables: 5_000,
  files: 2_000,
  /** Bytes of files. */
  uploads: 100_000_000,
  chains: 2_000,
  steps: 20_000,
  tags: 1_000,
  categories: 200,
  suites: 5_000,
  cases: 50_000,
} as const

/** The largest limit; for money it means that there is none. */
export const UNLIMITED = 1_000_000_000_000

/** All bounds on a person: what they keep, and what they do at once or a minute. */
export const DEFAULT_QUOTAS = {
  ...KEPT_QUOTAS,
  /** Open at once, of which each process has its part; as many again are the calls of a person's tokens. */
  streams: 50,
  /** Saved changes a minute; one of more than 20 kB counts once for each 20 kB. */
  writes: 600,
  /** Milliseconds a second that their reading may take in one process in the long run; more of it waits. */
  reads: 250,
  /** US cents that their runs may cost in a month, UTC. */
  money: UNLIMITED,
} as const

export type CountedQuota = keyof typeof KEPT_QUOTAS
export type Quota = keyof typeof DEFAULT_QUOTAS
export type Quotas = Record<Quota, number>

export const QUOTA_NAMES = Object.keys(DEFAULT_QUOTAS) as [Quota, ...Quota[]]
export const COUNTED_QUOTAS = Object.keys(KEPT_QUOTAS) as [CountedQuota, ...CountedQuota[]]

/** What each limit counts, as it follows the number. */
export const QUOTA_UNITS: Record<Quota, string> = {
  text: 'bytes of text',
  prompts: 'prompts',
  versions: 'versions of prompts and chains',
  variables: 'variables',
  files: 'files',
  uploads: 'bytes of files',
  chains: 'chains',
  steps: 'steps of chains',
  tags: 'tags',
  categories: 'categories',
  suites: 'test suites',
  cases: 'cases of test suites',
  streams: 'open streams',
  writes: 'changes a minute',
  reads: 'milliseconds of reading a second',
  money: 'US cents a month',
}

const bound = z
  .int('Must be a whole number')
  .min(0, 'Must be 0 or more')
  .max(UNLIMITED, 'Must be at most 1,000,000,000,000')

const toShape = <Value extends z.ZodType>(value: (quota: Quota) => Value) =>
  Object.fromEntries(QUOTA_NAMES.map((quota) => [quota, value(quota)])) as Record<Quota, Value>

/** The setting `QUOTAS`: what is named replaces the usual bound. */
export const quotaSettings = z
  .strictObject(toShape((quota) => bound.describe(`Maximum of ${QUOTA_UNITS[quota]} per person.`)))
  .partial()

/** What a person has of each thing that is bounded by number or size. */
export const quotaCounts = z.object(
  Object.fromEntries(
    COUNTED_QUOTAS.map((quota) => [quota, z.int().describe(`Maximum of ${QUOTA_UNITS[quota]}.`)]),
  ) as Record<CountedQuota, z.ZodInt>,
)
export type QuotaCounts = z.infer<typeof quotaCounts>

/** One bound on a person. */
export const personQuota = z.object({
  quota: z.enum(QUOTA_NAMES).describe('What the quota limits.'),
  used: z.int().nullable().describe('Current usage; null: not stored.'),
  bound: z.int().describe('Limit. People above it keep what they have but can’t add more.'),
  usual: z.int().describe('Default limit, where an admin has set no other.'),
})
export type PersonQuota = z.infer<typeof personQuota>

export const updateQuotasRequest = z
  .strictObject(
    toShape((quota) =>
      bound.nullable().optional().describe(`Maximum of ${QUOTA_UNITS[quota]}; null: the default.`),
    ),
  )
  .refine((change) => Object.values(change).some((value) => value !== undefined), 'Nothing to change')
export type UpdateQuotasRequest = z.infer<typeof updateQuotasRequest>

export const quotasApi = defineApi('admin', {
  'GET /api/admin/users/{id}/quotas': {
    who: 'admin',
    summary: 'What a person has, and may have',
    params: idParams,
    reply: z.array(personQuota),
    errors: [401, 403, 404],
  },
  'PATCH /api/admin/users/{id}/quotas': {
    who: 'admin',
    summary: 'Set limits for a person',
    description: 'People over a limit keep what they have, but can’t add more.',
    params: idParams,
    body: updateQuotasRequest,
    reply: z.array(personQuota),
    errors: [401, 403, 404],
  },
})
