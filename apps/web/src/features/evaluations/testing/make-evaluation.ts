import type { CellStatus, Evaluation, EvaluationCell } from '@catenary/contracts'

type Outcome = CellStatus | `failed: ${string}`

/** An evaluation of these cases on v4 and v7 of a prompt, by Claude and Gemini. */
export function makeEvaluation(
  outcomes: readonly (readonly Outcome[])[],
  fields: Partial<Evaluation> = {},
): Evaluation {
  const range = { medianUsd: 0.38, p95Usd: 0.61 }
  const width = outcomes[0]?.length ?? 0
  const targets = [
    { version: 4, model: 'claude', labels: ['production'] },
    { version: 7, model: 'claude', labels: [] },
    { version: 7, model: 'gemini', labels: [] },
  ]
  return {
    ...{ id: 14, kind: 'prompt', recordId: 3, recordName: 'Product launch email', suiteId: 2 },
    ...{ suiteName: 'Launch mails', status: 'completed', stopReason: null, startedBy: 'maren', isMine: true },
    ...{ startedAt: '2026-11-22T08:42:00Z', finishedAt: '2026-11-22T08:42:48Z', costUsd: 0.42 },
    ...{
      ceilingUsd: 1,
      uncounted: 0,
      judgeModel: 'claude',
      reuse: false,
      baseline: 0,
      gates: [],
      isCurrent: true,
    },
    ...{ canStop: false, canResume: false, canDelete: true },
    estimate: { ...range, cells: 6, reused: 0, uncounted: 0, targets: [], judge: null },
    targets: targets
      .slice(0, width)
      .map((target, position) => ({ ...target, position, modelId: `${target.model}-5-5` })),
    cases: outcomes.map((_, position) => ({
      ...{ position, name: `Case ${position + 1}`, tags: position % 2 === 0 ? ['launch'] : ['tone'] },
      given: `audience = people of case ${position + 1}`,
    })),
    cells: outcomes.flatMap((row, casePosition) =>
      row.map((outcome, targetPosition) => cellOf(outcome, casePosition, targetPosition)),
    ),
    ...fields,
  }
}

function cellOf(outcome: Outcome, casePosition: number, targetPosition: number): EvaluationCell {
  const [status, reason = null] = outcome.split(': ') as [CellStatus, string?]
  const hasEnded = status !== 'waiting' && status !== 'running'
  return {
    ...{ casePosition, targetPosition, status, reason, notRun: 0, reusedFrom: null },
    failing: status === 'failed' ? 1 : 0,
    score: hasEnded ? Number(status === 'passed') : null,
    durationMs: hasEnded ? 2_000 + 100 * casePosition : null,
    costUsd: hasEnded ? 0.015 : null,
    executionId: hasEnded ? 100 + casePosition * 10 + targetPosition : null,
  }
}
