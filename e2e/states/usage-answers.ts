import type { UsageDay, UsageItem, UsageReport, UsageRun } from '../../packages/contracts/src/index.ts'

const DAY_MS = 86_400_000
const LAST = Date.parse('2026-11-22T00:00:00Z')
/** Runs per weekday, from Sunday: fewer at weekends. */
const RUNS = [41, 132, 128, 154, 121, 112, 47]

/** The same each time: between 0 and 1. */
const chance = (seed: number): number => ((seed * 7919 + 104_729) % 1_000) / 1_000

function dayAt(index: number, count: number): UsageDay {
  const at = LAST - (count - 1 - index) * DAY_MS
  const usual = Math.round((RUNS[new Date(at).getUTCDay()] ?? 0) * (0.8 + 0.4 * chance(index)))
  const isBad = count - index === 5
  const failed = isBad ? 23 : Math.round(chance(index + 40) * 3)
  const p50 = 2_300 + 500 * chance(index + 7) + (isBad ? 700 : 0)
  return {
    date: new Date(at).toISOString().slice(0, 10),
    completed: usual,
    failed,
    cancelled: Math.round(chance(index + 90) * 2),
    inputTokens: usual * 1_960,
    outputTokens: usual * 552,
    cachedTokens: usual * 820,
    costUsd: usual * 0.011,
    savedUsd: usual * 0.0019,
    uncounted: index % 9 === 0 ? 8 : 0,
    whole: { p50, p95: p50 + 3_000 + 800 * chance(index + 3) + (isBad ? 2_400 : 0) },
    firstText: { p50: 700 + 200 * chance(index), p95: 1_400 + 500 * chance(index + 5) + (isBad ? 700 : 0) },
  }
}

const items = (...rows: [key: string, name: string | null, runs: number, costUsd: number][]) => ({
  count: rows.length,
  listed: rows.map(([key, name, runs, costUsd]): UsageItem => ({ key, name, runs, costUsd, uncounted: 0 })),
})
const named = (...rows: [key: string, runs: number, costUsd: number][]) =>
  items(...rows.map(([key, ...figures]): Parameters<typeof items>[number] => [key, key, ...figures]))

/** The reply for a busy team. */
export function usageReport(count: number): UsageReport {
  const models = named(
    ['claude-sonnet-5-5', 1_804, 19.84],
    ['gpt-6.1-sol', 902, 9.62],
    ['gemini-4-hydrogen', 480, 5.07],
    ['gpt-4o', 203, 2.9],
    ['claude-haiku-5-5', 57, 0.83],
    ['llama-3.3-70b', 34, 0],
  )
  return {
    from: new Date(LAST - (count - 1) * DAY_MS).toISOString(),
    to: new Date(LAST + DAY_MS).toISOString(),
    timeZone: 'UTC',
    days: Array.from({ length: count }, (_, index) => dayAt(index, count)),
    before: {
      runs: 2_700,
      failed: 52,
      inputTokens: 5_200_000,
      outputTokens: 1_470_000,
      cachedTokens: 0,
      costUsd: 29.9,
      savedUsd: 0,
    },
    models: {
      ...models,
      listed: models.listed.map((model) => ({ ...model, uncounted: model.costUsd === 0 ? 34 : 0 })),
    },
    reasons: named(
      ['model_unavailable', 41, 0],
      ['model_quota', 19, 0],
      ['value_missing', 14, 0],
      ['budget_spent', 7, 0],
    ),
    prompts: items(
      ['1', 'Weekly customer digest', 842, 12.31],
      [
        '2',
        'Product launch email, with a title that goes on and on until nobody can read the end of it',
        517,
        6.04,
      ],
      ['3', 'Code review, kind, exact', 388, 7.92],
      ['4', 'SQL from a question', 241, 2.18],
      ['5', null, 166, 0.94],
      ['6', 'Tone check', 31, 0.2],
    ),
    chains: items(
      ['1', 'Support answer', 611, 8.77],
      ['2', 'Monday digest', 204, 6.4],
      ['3', 'Release, from commits', 97, 3.15],
    ),
    people: items(
      ['1', 'maren', 1_104, 13.9],
      ['2', 'ines', 872, 10.26],
      ['3', 'tomasz', 463, 6.11],
      ['4', 'yusuf', 287, 1.62],
    ),
    groups: items(['2', 'Support leads', 1_391, 16.37], ['3', 'Support', 750, 7.73]),
    sources: named(['evaluation', 108, 1.7]),
    budget: { budgetUsd: 50, spentUsd: 31.4, isNear: false },
  }
}

const none = { count: 0, listed: [] }

/** The reply for a person without any runs. */
export function emptyReport(): UsageReport {
  const nothing = {
    completed: 0,
    failed: 0,
    cancelled: 0,
    inputTokens: 0,
    outputTokens: 0,
    cachedTokens: 0,
    costUsd: 0,
    savedUsd: 0,
  }
  const { days, ...report } = usageReport(30)
  return {
    ...report,
    days: days.map(({ date }) => ({ date, ...nothing, uncounted: 0, whole: null, firstText: null })),
    before: { runs: 0, failed: 0, inputTokens: 0, outputTokens: 0, cachedTokens: 0, costUsd: 0, savedUsd: 0 },
    ...{
      models: none,
      reasons: none,
      prompts: none,
      chains: none,
      people: none,
      groups: none,
      sources: none,
    },
    budget: null,
  }
}

/** The first runs of somebody, on one day alone. */
export function oneDayReport(): UsageReport {
  const empty = emptyReport()
  return {
    ...empty,
    days: [...empty.days.slice(0, -1), dayAt(29, 30)],
    models: named(['claude-sonnet-5-5', 41, 0.45]),
    prompts: items(['1', 'Weekly customer digest', 41, 0.45]),
    budget: { budgetUsd: 5, spentUsd: 4.1, isNear: true },
  }
}

const run = (id: number, fields: Partial<UsageRun> = {}): UsageRun => ({
  ...{ id, kind: 'prompt', promptId: 1, chainId: null, name: 'Weekly customer digest', status: 'completed' },
  ...{ error: null, executedAt: new Date(LAST - id * 3_600_000).toISOString(), executedBy: 'maren' },
  ...{ models: ['claude-sonnet-5-5'], costUsd: 0.0142, durationMs: 3_120 },
  ...fields,
})

export const runsBehind = {
  runs: [
    run(9),
    run(8, { status: 'failed', error: 'model_unavailable', costUsd: null, durationMs: 1_200 }),
    run(7, {
      kind: 'chain',
      promptId: null,
      chainId: 1,
      name: 'Support answer',
      models: ['claude-sonnet-5-5', 'gpt-4o'],
    }),
    run(6, { name: null, promptId: null, executedBy: 'somebody with a rather long name' }),
    run(5, { status: 'cancelled', durationMs: null }),
  ],
  next: 5,
}
