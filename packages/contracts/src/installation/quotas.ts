import * as z from 'zod'
import { idParams } from '../common.ts'
import { defineApi } from '../endpoint.ts'

/** Chain runs at once in one process; a person's take at most three quarters of them. */
export const CHAIN_RUNS_AT_ONCE = 64
/** Model calls at once, of which each process has its part; of that a person's take at most three quarters of them. */
export const MODEL_CALLS_AT_ONCE = 128

/** The largest limit; for money it means that there is none. */
export const UNLIMITED = 1_000_000_000_000

interface QuotaRecord {
  usual: number
  unit: string
}

const KEPT = {
  /** Of prompts and their versions, chains and their steps, variables, tests, and names. */
  text: { usual: 200_000_000, unit: 'bytes of text' },
  prompts: { usual: 10_000, unit: 'prompts' },
  versions: { usual: 50_000, unit: 'versions of prompts and chains' },
  variables: { usual: 5_000, unit: 'variables' },
  files: { usual: 2_000, unit: 'files' },
  uploads: { usual: 100_000_000, unit: 'bytes of files' },
  chains: { usual: 2_000, unit: 'chains' },
  steps: { usual: 20_000, unit: 'steps of chains' },
  tags: { usual: 1_000, unit: 'tags' },
  categories: { usual: 200, unit: 'categories' },
  suites: { usual: 5_000, unit: 'test suites' },
  cases: { usual: 50_000, unit: 'cases of test suites' },
  views: { usual: 200, unit: 'saved views' },
  groups: { usual: 50, unit: 'groups' },
  webhooks: { usual: 10, unit: 'webhooks' },
} satisfies Record<string, QuotaRecord>

export type CountedQuota = keyof typeof KEPT

const ALL = {
  ...KEPT,
  /** Each process has a part of them; a person's tokens may have as many again. */
  streams: { usual: 50, unit: 'open streams' },
  /** One of more than 20 kB counts once for each 20 kB. */
  writes: { usual: 600, unit: 'changes a minute' },
  /** In one process, on average; reading beyond that waits. */
  reads: { usual: 250, unit: 'milliseconds of reading a second' },
  money: { usual: UNLIMITED, unit: 'US cents a month' },
} satisfies Record<string, QuotaRecord>

export type Quota = keyof typeof ALL
export type Quotas = Record<Quota, number>

export const QUOTAS: Record<Quota, QuotaRecord> = ALL
export const QUOTA_NAMES = Object.keys(ALL) as [Quota, ...Quota[]]
export const COUNTED_QUOTAS = Object.keys(KEPT) as [CountedQuota, ...CountedQuota[]]

export const isInBytes = (quota: Quota): boolean => QUOTAS[quota].unit.startsWith('bytes')

const toShape = <Name extends Quota, Value>(names: readonly Name[], fieldOf: (quota: Name) => Value) =>
  Object.fromEntries(names.map((quota) => [quota, fieldOf(quota)])) as Record<Name, Value>

export const USUAL_QUOTAS: Quotas = toShape(QUOTA_NAMES, (quota) => QUOTAS[quota].usual)

const bound = z
  .int('Must be a whole number')
  .min(0, 'Must be 0 or more')
  .max(UNLIMITED, 'Must be at most 1,000,000,000,000')

export const quotaSettings = z
  .strictObject(
    toShape(QUOTA_NAMES, (quota) => bound.describe(`Maximum of ${QUOTAS[quota].unit} per person.`)),
  )
  .partial()

export const quotaCounts = z.object(
  toShape(COUNTED_QUOTAS, (quota) => z.int().describe(`Maximum of ${QUOTAS[quota].unit}.`)),
)
export type QuotaCounts = z.infer<typeof quotaCounts>

export const personQuota = z.object({
  quota: z.enum(QUOTA_NAMES).describe('What the quota limits.'),
  used: z.int().nullable().describe('Current usage; null: not stored.'),
  bound: z.int().describe('Limit. People above it keep what they have but can’t add more.'),
  usual: z.int().describe('Limit of the person’s groups or default limit, unless an admin has set another.'),
})
export type PersonQuota = z.infer<typeof personQuota>

export const updateQuotasRequest = z
  .strictObject(
    toShape(QUOTA_NAMES, (quota) =>
      bound.nullable().optional().describe(`Maximum of ${QUOTAS[quota].unit}; null: the default.`),
    ),
  )
  .refine((change) => Object.values(change).some((value) => value !== undefined), 'Nothing to change')
export type UpdateQuotasRequest = z.infer<typeof updateQuotasRequest>

export const groupQuota = z.object({
  quota: z.enum(QUOTA_NAMES).describe('What the quota limits.'),
  bound: z
    .int()
    .nullable()
    .describe(
      'Limit for each member instead of the default; null: the group sets none. The highest limit of a person’s groups counts, unless the person has their own.',
    ),
  usual: z.int().describe('Default limit.'),
})
export type GroupQuota = z.infer<typeof groupQuota>

export const quotasApi = defineApi('admin', {
  'GET /api/admin/users/{id}/quotas': {
    who: 'admin',
    summary: 'A person’s usage and limits',
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
    activity: { kind: 'account.quotas_changed', object: 'account' },
  },
  'GET /api/admin/groups/{id}/quotas': {
    who: 'admin',
    summary: 'Limits that a group gives its members',
    params: idParams,
    reply: z.array(groupQuota),
    errors: [401, 403, 404],
  },
  'PATCH /api/admin/groups/{id}/quotas': {
    who: 'admin',
    summary: 'Set limits that a group gives its members',
    description:
      'They apply to each of its members. People over a limit keep what they have, but can’t add more.',
    params: idParams,
    body: updateQuotasRequest,
    reply: z.array(groupQuota),
    errors: [401, 403, 404],
    activity: { kind: 'group.quotas_changed', object: 'group' },
  },
})
