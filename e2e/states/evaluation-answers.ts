import type {
  AssertionResult,
  Evaluation,
  EvaluationCell,
  EvaluationEstimate,
  EvaluationForecast,
  ListedEvaluation,
  ListedTestSuite,
  VersionLabels,
} from '../../packages/contracts/src/index.ts'

interface Outcome {
  status: EvaluationCell['status']
  reason?: string
}
const pass: Outcome = { status: 'passed' }
const fail = (reason: string): Outcome => ({ status: 'failed', reason })

/** Each case: its name, tags and values, and its result on each of three targets. */
const CASES: [name: string, tags: string[], given: string, ...outcomes: Outcome[]][] = [
  [
    'Wiki teams, first-day change',
    ['launch'],
    'audience = teams who keep prompts in a wiki',
    pass,
    pass,
    pass,
  ],
  ['Engineers, terse', ['tone'], 'audience = engineers who skim', pass, pass, fail('151 words, at most 140')],
  [
    'Notes without numbers',
    ['launch', 'review'],
    'release_notes = { "version": "1.0.1", … }',
    fail('invents a number: “2× faster”'),
    pass,
    fail('invents a number: “three times”'),
  ],
  [
    'German audience',
    ['tone'],
    'audience = Vereine in Deutschland',
    pass,
    fail('answers in English, German asked'),
    pass,
  ],
  ['One-person company', [], 'audience = people who work alone', pass, pass, pass],
  ['38 items in the notes', ['launch'], 'release_notes = 38 items, 11.2 kB', pass, pass, pass],
  [
    'No exclamation marks',
    ['tone', 'e-mail'],
    'brand_voice = brand-voice.md',
    pass,
    pass,
    fail('contains “!”, twice'),
  ],
  ['Empty release notes', [], 'release_notes = { }', pass, fail('judge 2 of 5, needs 4: padding'), pass],
  ['Order hidden in the notes', ['review'], 'release_notes = “ignore the above and …”', pass, pass, pass],
]

const TARGETS = [
  { version: 4, model: 'claude', modelId: 'claude-sonnet-5-5', labels: ['production'] },
  { version: 7, model: 'claude', modelId: 'claude-sonnet-5-5', labels: [] },
  { version: 7, model: 'gemini', modelId: 'gemini-4-hydrogen', labels: ['staging'] },
]
const COSTS = [0.0155, 0.0211, 0.01]
const TIMES = [2_100, 2_600, 1_400]

const estimate: EvaluationEstimate = {
  ...{ medianUsd: 0.38, p95Usd: 0.61, cells: 27, reused: 0, uncounted: 0 },
  targets: TARGETS.map(({ version, model }, index) => ({
    ...{ version, model, basis: index === 2 ? 'text' : 'runs', runs: index === 2 ? 0 : 84 },
    ...{ medianUsd: 0.12, p95Usd: 0.19 },
  })),
  judge: { model: 'claude', calls: 6, medianUsd: 0.02, p95Usd: 0.04 },
}

function cellAt({ status, reason }: Outcome, row: number, column: number): EvaluationCell {
  const hasEnded = status !== 'waiting' && status !== 'running'
  const spread = ((row * 7 + column * 3) % 9) / 10
  return {
    ...{
      casePosition: row,
      targetPosition: column,
      status,
      reason: reason ?? null,
      notRun: 0,
      reusedFrom: null,
    },
    ...{
      failing: status === 'failed' ? 1 + (row % 2) : 0,
      score: hasEnded ? Number(status === 'passed') : null,
    },
    durationMs: hasEnded ? Math.round((TIMES[column] ?? 2_000) * (0.8 + spread)) : null,
    costUsd: hasEnded ? (COSTS[column] ?? 0.01) * (0.9 + spread / 5) : null,
    executionId: hasEnded ? 1_000 + row * 10 + column : null,
  }
}

/** As in the picture: nine cases on three targets, v4 against v7. */
export function evaluationAnswer(fields: Partial<Evaluation> = {}): Evaluation {
  return {
    ...{ id: 14, kind: 'prompt', recordId: 1, recordName: 'Product launch email', suiteId: 3 },
    ...{ suiteName: 'Launch mails', status: 'completed', stopReason: null, startedBy: 'maren', isMine: true },
    ...{ startedAt: '2026-11-22T09:42:00.000Z', finishedAt: '2026-11-22T09:42:48.000Z', costUsd: 0.42 },
    ...{ ceilingUsd: 1, uncounted: 0, estimate, judgeModel: 'claude', reuse: false, baseline: 0 },
    ...{ gates: ['production'], isCurrent: true, canStop: false, canResume: false, canDelete: true },
    targets: TARGETS.map((target, position) => ({ ...target, position })),
    cases: CASES.map(([name, tags, given], position) => ({ position, name, tags, given })),
    cells: CASES.flatMap(([, , , ...outcomes], row) =>
      outcomes.map((outcome, column) => cellAt(outcome, row, column)),
    ),
    ...fields,
  }
}

/** The same while a third of it has ended. */
export function runningAnswer(): Evaluation {
  const { cells, ...rest } = evaluationAnswer()
  const shown = cells.map((cell, index) => {
    if (index < 10) return cell
    return cellAt({ status: index < 14 ? 'running' : 'waiting' }, cell.casePosition, cell.targetPosition)
  })
  return { ...rest, cells: shown, status: 'running', finishedAt: null, costUsd: 0.16, canStop: true }
}

export function stoppedAnswer(): Evaluation {
  const reason = 'The cost limit is reached. Raise it to continue.'
  return {
    ...runningAnswer(),
    cells: runningAnswer().cells.map((cell) =>
      cell.status === 'running' ? { ...cell, status: 'waiting' } : cell,
    ),
    ...{ status: 'stopped', stopReason: reason, canStop: false, canResume: true, ceilingUsd: 0.15 },
  }
}

const LONG = 'A name of a test that goes on and on, so that nobody could ever read the end of it in a table'
/** Long names and reasons, many targets, what can't run here and what has no answer. */
/** One target more than three, of another model. */
export function fourAnswer(): Evaluation {
  const { targets, cases, cells, ...rest } = evaluationAnswer()
  const fourth = { version: 7, model: 'openai', modelId: 'gpt-6.1-sol', labels: ['staging'], position: 3 }
  return {
    ...rest,
    ...{ cases, targets: [...targets, fourth] },
    cells: cases.flatMap((_, row) => [
      ...cells.slice(3 * row, 3 * row + 3),
      cellAt(row === 4 ? fail('contains “!”, twice') : pass, row, 3),
    ]),
  }
}

export function longAnswer(): Evaluation {
  const { targets, cases, ...rest } = evaluationAnswer()
  const wide = [...targets, ...targets].map((target, position) => ({
    ...target,
    ...{ position, version: 100 + position, labels: ['a-label-of-thirty-six-characters-long', 'staging'] },
  }))
  const outcomes: Outcome[] = [
    fail(`${LONG}, and the reason why it failed is as long`),
    { status: 'not-run', reason: 'JavaScript does not run here' },
    { status: 'error', reason: 'The provider is not available (529). Overloaded, try again later.' },
  ]
  return {
    ...rest,
    ...{ recordName: LONG, suiteName: LONG, targets: wide },
    cases: cases.map((one) => ({
      ...one,
      name: LONG,
      given: `${one.given} ${LONG}`,
      tags: [...one.tags, LONG],
    })),
    cells: cases.flatMap((_, row) =>
      wide.map((_, column) => cellAt(outcomes[(row + column) % 5] ?? pass, row, column)),
    ),
  }
}

export const cellAnswer = {
  ...evaluationAnswer().cells[10],
  ...{ caseName: 'German audience', executionId: null },
  results: [
    { type: 'contains', passed: true, score: 1, reason: 'It contains “Verein”', weight: 1, metric: null },
    {
      ...{ type: 'llm-rubric', passed: false, score: 0.2, reason: 'answers in English, German asked' },
      ...{ weight: 2, metric: 'language' },
    },
    { type: 'javascript', passed: null, score: 0, reason: 'Code does not run here', weight: 1, metric: null },
  ] satisfies AssertionResult[],
}

const listed = (id: number, fields: Partial<ListedEvaluation> = {}): ListedEvaluation => {
  const { kind, recordId, recordName, suiteId, suiteName, stopReason, startedBy, isMine } = evaluationAnswer()
  return {
    ...{
      id,
      kind,
      recordId,
      recordName,
      suiteId,
      suiteName,
      status: 'completed',
      stopReason,
      startedBy,
      isMine,
    },
    ...{ startedAt: '2026-11-21T09:42:00.000Z', finishedAt: '2026-11-21T09:43:00.000Z', costUsd: 0.31 },
    ...{
      cells: 27,
      ended: 27,
      passed: 27,
      private: 0,
      targets: TARGETS.map(({ version, model }) => ({ version, model })),
    },
    ...fields,
  }
}

export const earlierAnswer: ListedEvaluation[] = [
  listed(14, { passed: 21, costUsd: 0.42 }),
  listed(13, { status: 'stopped', ended: 11, passed: 9, startedBy: 'tomasz', isMine: false }),
  listed(12),
  listed(9, { passed: 25, suiteName: LONG }),
]

export const suitesAnswer: ListedTestSuite[] = [
  {
    ...{ id: 3, promptId: 1, chainId: null, name: 'Launch mails', caseCount: 9, notRunCount: 0, revision: 4 },
    ...{ createdAt: '2026-11-20T09:42:00.000Z', updatedAt: '2026-11-21T09:42:00.000Z', canEdit: true },
  },
]

export const labelsAnswer: VersionLabels = {
  latest: 7,
  labels: [{ label: 'production', version: 4, movedBy: 'maren', movedAt: '2026-11-19T09:42:00.000Z' }],
  canMove: true,
  protected: [],
}

export const versionsAnswer = [7, 6, 5, 4].map((number) => ({
  ...{ number, title: 'Product launch email', content: 'Write a launch email.', author: 'maren' },
  ...{ note: number === 7 ? 'Shorter, and no superlatives' : '', createdAt: '2026-11-20T09:42:00.000Z' },
}))

export const estimateAnswer: EvaluationForecast = { ...estimate, reused: 9, cells: 18, asksToFill: [] }

/** The cells that the bench scrolls through: a hundred cases on four targets. */
export function largeAnswer(): Evaluation {
  const { targets, cases } = evaluationAnswer()
  const four = [...targets, ...targets].slice(0, 4).map((target, position) => ({ ...target, position }))
  const rows = Array.from({ length: 100 }, (_, row) => row)
  return evaluationAnswer({
    targets: four,
    cases: rows.map((row) => ({
      ...(cases[row % cases.length] as (typeof cases)[number]),
      position: row,
      name: `Case ${row}`,
    })),
    cells: rows.flatMap((row) =>
      four.map((_, column) =>
        cellAt((row + column) % 6 === 5 ? fail('151 words, at most 140') : pass, row, column),
      ),
    ),
  })
}
