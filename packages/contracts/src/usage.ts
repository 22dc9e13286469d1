import * as z from 'zod'
import { id, idParam, timestamp } from './common.ts'
import { runStatus } from './runs/runs.ts'
import { timeZone } from './users.ts'

/** How far back the usage page looks, today included. */
export const USAGE_DAYS = ['7', '30', '90'] as const
/** Rows of each list of the usage page; the others are only counted. */
export const USAGE_LISTED = 50
/** Runs of a page behind a mark of the usage page. */
export const USAGE_RUNS_PAGE = 50
/** How runs end. */
export const RUN_OUTCOMES = ['completed', 'failed', 'cancelled'] as const
/** What stands for the model that chose for Best Chain, among models. */
export const JUDGE_CALLS = 'judge'

export const usageScope = z
  .enum(['mine', 'everyone'])
  .describe("Whose runs: one's own, or for an administrator those of all.")

/** GET /api/usage */
export const usageQuery = z.strictObject({
  scope: usageScope.default('mine'),
  days: z.enum(USAGE_DAYS).default('30').describe('How many days, today included.'),
  timeZone: timeZone
    .optional()
    .describe("IANA name of the zone whose clock says when a day begins; default: the account's, else UTC."),
})
export type UsageQuery = z.output<typeof usageQuery>

const count = (what: string) => z.int().describe(what)
const costUsd = z.number().describe('US dollars; answers without a price are not in it.')

const times = z
  .object({
    p50: z.number().describe('Milliseconds, half of them took at most so long.'),
    p95: z.number().describe('Milliseconds, 95 of 100 took at most so long.'),
  })
  .nullable()

const spent = {
  inputTokens: count('As the providers count.'),
  outputTokens: count('As the providers count.'),
  costUsd,
}

export const usageDay = z.object({
  date: z.iso.date().describe('By the clock of the time zone.'),
  completed: count('Runs that came to their end.'),
  failed: count('Runs that failed.'),
  cancelled: count('Runs that a person stopped.'),
  ...spent,
  uncounted: count('Answers of models without a price.'),
  whole: times.describe('From the call to the end of the answer, of runs that completed; to about a tenth.'),
  firstText: times.describe('From the call to its first text; to about a tenth.'),
})
export type UsageDay = z.infer<typeof usageDay>

export const usageItem = z.object({
  key: z.string().describe('A model or reason by its name, anything else by its id.'),
  name: z.string().nullable().describe('Null: it is gone, or not for the eyes of the caller.'),
  runs: count('Runs; of a model, its answers.'),
  costUsd,
  uncounted: count('Answers without a price.'),
})
export type UsageItem = z.infer<typeof usageItem>

const items = (what: string) =>
  z
    .object({
      count: count('All there are.'),
      listed: z.array(usageItem).max(USAGE_LISTED).describe('The first of them.'),
    })
    .describe(what)
const MOST_FIRST = 'Those with the most runs first.'

/** A sum of money a month, UTC. */
const monthlyUsd = z.number().min(0, 'Must be 0 or more').max(1_000_000, 'Must be at most 1,000,000')

export const budgetState = z.object({
  budgetUsd: monthlyUsd.describe('US dollars that may be spent in a month.'),
  spentUsd: z.number().describe('Spent since the month began, at midnight UTC.'),
  isNear: z.boolean().describe('80 % of it are spent.'),
})
export type BudgetState = z.infer<typeof budgetState>

/** GET /api/usage/budget */
export const ownBudget = z.object({
  budget: budgetState.nullable().describe('Null: there is no limit.'),
})

export const usageReport = z.object({
  from: timestamp.describe('Where the first day begins.'),
  to: timestamp.describe('Where the last day ends.'),
  timeZone: z.string().describe('IANA name.'),
  days: z.array(usageDay).describe('Each day of the time, oldest first; without runs too.'),
  before: z
    .object({ runs: count('Runs that ended.'), failed: count('Runs that failed.'), ...spent })
    .describe('Of as many days before.'),
  models: items('Those that cost most first.'),
  reasons: items('Why runs failed. The most frequent first.'),
  prompts: items(MOST_FIRST),
  chains: items(MOST_FIRST),
  people: items(`${MOST_FIRST} Nobody, unless everyone is asked for.`),
  sources: items('What ran without being a run of its prompt or chain: the cells of evaluations.'),
  budget: budgetState.nullable().describe("The caller's, or of everyone; null: there is no limit."),
})
export type UsageReport = z.infer<typeof usageReport>

/** GET /api/usage/runs */
export const usageRunsQuery = usageQuery.extend({
  date: z.iso.date().optional().describe('Only of this day.'),
  outcome: z.enum(RUN_OUTCOMES).optional().describe('Only runs that ended so.'),
  reason: z.string().min(1).max(100).optional().describe('Only runs that failed for this reason.'),
  model: z.string().min(1).max(200).optional().describe('Only runs that this model answered.'),
  promptId: idParam.optional().describe('Only runs of this prompt.'),
  chainId: idParam.optional().describe('Only runs of this chain.'),
  userId: idParam.optional().describe('Only runs of this person.'),
  before: idParam.optional().describe('Only runs with a smaller id.'),
})
export type UsageRunsQuery = z.output<typeof usageRunsQuery>

/** The figures of a run, without its texts. */
export const usageRun = z.object({
  id,
  kind: z.enum(['prompt', 'chain']).describe('What was run.'),
  promptId: id.nullable(),
  chainId: id.nullable(),
  name: z.string().nullable().describe('Of the prompt or chain; null: it is gone, or not for the caller.'),
  status: runStatus,
  error: z.string().nullable().describe('The kind of failure.'),
  executedAt: timestamp,
  executedBy: z.string().describe('Username of the person who ran it.'),
  models: z.array(z.string()).describe('Those that answered, or were to.'),
  costUsd: z.number().nullable().describe('US dollars; null: no price is known.'),
  durationMs: z.int().nullable().describe('All steps together.'),
})
export type UsageRun = z.infer<typeof usageRun>

export const usageRuns = z.object({
  runs: z.array(usageRun).describe('Newest first.'),
  next: id.nullable().describe('`before` of the next page; null: there is none.'),
})
export type UsageRuns = z.infer<typeof usageRuns>

/** GET /api/usage/versions */
export const versionMetricsQuery = z
  .strictObject({
    promptId: idParam.optional().describe('Of the prompt.'),
    chainId: idParam.optional().describe('Of the chain, in place of a prompt.'),
  })
  .refine(
    ({ promptId, chainId }) => (promptId === undefined) !== (chainId === undefined),
    'Name a promptId or a chainId',
  )
export type VersionMetricsQuery = z.output<typeof versionMetricsQuery>
export const versionMetrics = z.object({
  version: z.int().describe('Number of the version.'),
  runs: count('Runs of it that are kept.'),
  medianMs: z.number().nullable().describe('Milliseconds, of those that completed; null: there are none.'),
  costUsd: z.number().nullable().describe('All of them together; null: no price is known.'),
})
export type VersionMetrics = z.infer<typeof versionMetrics>
