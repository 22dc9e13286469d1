import * as z from 'zod'
import { id, idParam, timestamp } from './common.ts'
import { defineApi } from './endpoint.ts'
import { RECORD_KINDS } from './records/records.ts'
import { runStatus } from './runs/runs.ts'
import { timeZone } from './users.ts'

export const USAGE_DAYS = ['7', '30', '90'] as const
export const USAGE_LISTED = 50
export const USAGE_RUNS_PAGE = 50
export const RUN_OUTCOMES = ['completed', 'failed', 'cancelled'] as const
/** Stands among models for the one that chose for Best Chain. */
export const JUDGE_CALLS = 'judge'

export const usageScope = z
  .enum(['mine', 'everyone'])
  .describe('Whose runs: the caller’s own or, for administrators, everyone’s.')

export const usageQuery = z.strictObject({
  scope: usageScope.default('mine'),
  days: z.enum(USAGE_DAYS).default('30').describe('Number of days, including today.'),
  timeZone: timeZone
    .optional()
    .describe('IANA time zone in which days begin; default: the account’s, otherwise UTC.'),
})
export type UsageQuery = z.output<typeof usageQuery>

const count = (what: string) => z.int().describe(what)
const costUsd = z.number().describe('In US dollars; excludes answers without a known price.')

const times = z
  .object({
    p50: z.number().describe('Median, in milliseconds.'),
    p95: z.number().describe('95th percentile, in milliseconds.'),
  })
  .nullable()

const spent = {
  inputTokens: count('As counted by the providers.'),
  outputTokens: count('As counted by the providers.'),
  cachedTokens: count('Input tokens read from the providers’ caches.'),
  costUsd,
  savedUsd: z
    .number()
    .describe('US dollars that caching saved; negative if writing to caches cost more than reading saved.'),
}

export const usageDay = z.object({
  date: z.iso.date().describe('Date in the time zone.'),
  completed: count('Runs that completed.'),
  failed: count('Runs that failed.'),
  cancelled: count('Runs that a person stopped.'),
  ...spent,
  uncounted: count('Answers of models without a price.'),
  whole: times.describe(
    'From the call to the end of the answer, for completed runs; accurate to about 10 %.',
  ),
  firstText: times.describe('From the call to the first text; accurate to about 10 %.'),
})
export type UsageDay = z.infer<typeof usageDay>

export const usageItem = z.object({
  key: z.string().describe('Name of a model or error code, or id of anything else.'),
  name: z.string().nullable().describe('null: deleted, or not visible to the caller.'),
  runs: count('Number of runs; for a model, of answers.'),
  costUsd,
  uncounted: count('Answers without a price.'),
})
export type UsageItem = z.infer<typeof usageItem>

const items = (what: string) =>
  z
    .object({
      count: count('Total number.'),
      listed: z.array(usageItem).max(USAGE_LISTED).describe('The top entries.'),
    })
    .describe(what)
const MOST_FIRST = 'Those with the most runs first.'

const monthlyUsd = z.number().min(0, 'Must be 0 or more').max(1_000_000, 'Must be at most 1,000,000')

export const budgetState = z.object({
  budgetUsd: monthlyUsd.describe('Monthly limit in US dollars.'),
  spentUsd: z.number().describe('US dollars spent since the month began, at midnight UTC.'),
  isNear: z.boolean().describe('80 % of the limit is spent.'),
})
export type BudgetState = z.infer<typeof budgetState>

export const ownBudget = z.object({
  budget: budgetState.nullable().describe('null: no limit.'),
})

export const usageReport = z.object({
  from: timestamp.describe('Start of the first day.'),
  to: timestamp.describe('End of the last day.'),
  timeZone: z.string().describe('IANA time zone.'),
  days: z.array(usageDay).describe('Each day of the period, oldest first, including days without runs.'),
  before: z
    .object({ runs: count('Runs that ended.'), failed: count('Runs that failed.'), ...spent })
    .describe('The same for the preceding period of equal length.'),
  models: items('Those that cost most first.'),
  reasons: items('Why runs failed. The most frequent first.'),
  prompts: items(MOST_FIRST),
  chains: items(MOST_FIRST),
  people: items(`${MOST_FIRST} Empty unless everyone’s usage is requested.`),
  groups: items(
    `${MOST_FIRST} A person’s usage counts in each group that lists them now. Empty unless everyone’s usage is requested.`,
  ),
  sources: items('Cells of evaluations, which don’t count as runs of their prompt or chain.'),
  budget: budgetState.nullable().describe('Budget of the caller or of everyone; null: no limit.'),
})
export type UsageReport = z.infer<typeof usageReport>

export const usageRunsQuery = usageQuery.extend({
  date: z.iso.date().optional().describe('Only runs on this day.'),
  outcome: z.enum(RUN_OUTCOMES).optional().describe('Only runs with this state.'),
  reason: z.string().min(1).max(100).optional().describe('Only runs that failed with this error code.'),
  model: z.string().min(1).max(200).optional().describe('Only runs that this model answered.'),
  promptId: idParam.optional().describe('Only runs of this prompt.'),
  chainId: idParam.optional().describe('Only runs of this chain.'),
  userId: idParam.optional().describe('Only runs of this person.'),
  before: idParam.optional().describe('Only runs with a smaller id.'),
})
export type UsageRunsQuery = z.output<typeof usageRunsQuery>

export const usageRun = z.object({
  id,
  kind: z.enum(RECORD_KINDS).describe('What was run.'),
  promptId: id.nullable(),
  chainId: id.nullable(),
  name: z.string().nullable().describe('Current title or name; null: deleted, or not visible to the caller.'),
  status: runStatus,
  error: z.string().nullable().describe('Error code.'),
  executedAt: timestamp,
  executedBy: z.string().describe('Username of the person who ran it.'),
  models: z.array(z.string()).describe('Models that answered or were asked.'),
  costUsd: z.number().nullable().describe('US dollars; null: no price is known.'),
  durationMs: z.int().nullable().describe('All steps together.'),
})
export type UsageRun = z.infer<typeof usageRun>

export const usageRuns = z.object({
  runs: z.array(usageRun).describe('Newest first.'),
  next: id.nullable().describe('`before` of the next page; null: this is the last one.'),
})
export type UsageRuns = z.infer<typeof usageRuns>

export const versionMetricsQuery = z
  .strictObject({
    promptId: idParam.optional().describe('Id of the prompt.'),
    chainId: idParam.optional().describe('Id of the chain, instead of a prompt.'),
  })
  .refine(
    ({ promptId, chainId }) => (promptId === undefined) !== (chainId === undefined),
    'Name a promptId or a chainId',
  )
export type VersionMetricsQuery = z.output<typeof versionMetricsQuery>
export const versionMetrics = z.object({
  version: z.int().describe('Number of the version.'),
  runs: count('Number of its stored runs.'),
  medianMs: z.number().nullable().describe('Milliseconds, for completed runs; null: there are none.'),
  costUsd: z.number().nullable().describe('Total; null: no price is known.'),
})
export type VersionMetrics = z.infer<typeof versionMetrics>

export const usageApi = defineApi('usage', {
  'GET /api/usage': {
    who: 'user',
    summary: 'Runs, cost, tokens and times of the last days',
    description: 'Counted when runs end. Deleted runs still count; a resumed run counts each time it ends.',
    query: usageQuery,
    reply: usageReport,
    errors: [401, 403],
  },
  'GET /api/usage/budget': {
    who: 'user',
    summary: 'This month’s budget and spending',
    reply: ownBudget,
    errors: [401],
  },
  'GET /api/usage/runs': {
    who: 'user',
    summary: 'The runs behind the totals, without their texts',
    description: 'Deleted runs are counted but not listed.',
    query: usageRunsQuery,
    reply: usageRuns,
    errors: [401, 403],
  },
  'GET /api/usage/versions': {
    who: 'user',
    summary: 'Totals of each version of a prompt or chain',
    description: "From your own last 10,000 runs; for an administrator, everyone's.",
    query: versionMetricsQuery,
    reply: z.array(versionMetrics),
    errors: [401],
  },
})
