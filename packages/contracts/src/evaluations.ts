import * as z from 'zod'
import { assertionResult } from './assertions.ts'
import { id, timestamp } from './common.ts'
import { shownFills } from './fills.ts'
import { modelAlias, storedModel } from './installation/models.ts'
import { RECORD_KINDS } from './records/records.ts'
import { presenceStatus } from './runs/present-runs.ts'

export const EVALUATION_TARGETS_MAX = 12
export const EVALUATION_CELLS_MAX = 2_000
/** Per account, running at once (D56). */
export const EVALUATIONS_RUNNING_MAX = 3
export const EVALUATIONS_MAX = 200
/** The size of the frozen cases, as JSON. */
export const EVALUATION_BYTES_MAX = 5_000_000
export const EVALUATION_COST_LIMIT_MAX_USD = 10_000
export const CASE_GIVEN_MAX = 200
export const CELL_REASON_MAX = 300

const EVALUATION_STATUSES = ['running', 'stopped', 'completed'] as const
const evaluationStatus = z
  .enum(EVALUATION_STATUSES)
  .describe(
    'stopped: unfinished cells remain, which Resume runs; completed: all cells ended, nothing changes any more.',
  )
export type EvaluationStatus = z.infer<typeof evaluationStatus>

const CELL_STATUSES = ['waiting', 'running', 'passed', 'failed', 'not-run', 'error', 'private'] as const
const cellStatus = z
  .enum(CELL_STATUSES)
  .describe(
    'not-run: none of the case’s assertions can run here, so it counts neither way; error: there is no answer to grade, which counts as not passed; private: it may use private values, so only the person who ran it sees the outcome (D59, D68).',
  )
export type CellStatus = z.infer<typeof cellStatus>

const version = z.int().min(1).describe('Number of the version.')
const position = z.int().describe('Counts from 0.')
const usd = z.number().describe('In US dollars; excludes anything without a known price.')

const evaluationTargetRequest = z.strictObject({
  version,
  model: modelAlias.nullable().describe('Model that answers; null: a chain, whose steps have their own.'),
})
export type EvaluationTargetRequest = z.infer<typeof evaluationTargetRequest>

export const estimateEvaluationRequest = z.strictObject({
  suiteId: id.describe('Suite whose cases are run.'),
  targets: z
    .array(evaluationTargetRequest)
    .min(1, 'Choose at least one version')
    .max(EVALUATION_TARGETS_MAX, `At most ${EVALUATION_TARGETS_MAX} targets`)
    .describe('Each pair of version and model once.'),
  judgeModel: modelAlias
    .nullable()
    .default(null)
    .describe('Model for model-graded assertions; null: the first one that is set up.'),
  reuse: z
    .boolean()
    .default(false)
    .describe('Reuse results of earlier evaluations with the same case, version, model and judge.'),
})
export type EstimateEvaluationRequest = z.output<typeof estimateEvaluationRequest>

export const startEvaluationRequest = estimateEvaluationRequest.extend({
  fills: shownFills,
  baseline: z.int().min(0).default(0).describe('Position of the target to compare the others with.'),
  ceilingUsd: z
    .number()
    .positive('Must be more than 0')
    .max(
      EVALUATION_COST_LIMIT_MAX_USD,
      `Must be at most ${EVALUATION_COST_LIMIT_MAX_USD.toLocaleString('en')}`,
    )
    .describe('US dollars. Once spent, no further cell starts; those in progress finish.'),
})
export type StartEvaluationRequest = z.input<typeof startEvaluationRequest>

const range = {
  medianUsd: usd.nullable().describe('Cost if each cell costs the median; null: no price is known.'),
  p95Usd: usd.nullable().describe('Cost if each cell costs the 95th percentile; null: no price is known.'),
}

export const evaluationEstimate = z.object({
  ...range,
  cells: z.int().describe('Cells to run.'),
  reused: z.int().describe('Cells whose result is reused, at no cost.'),
  uncounted: z.int().describe('Cells of models without a known price.'),
  targets: z
    .array(
      z.object({
        version,
        model: storedModel.nullable(),
        basis: z
          .enum(['runs', 'text'])
          .describe(
            'runs: based on the tokens of past runs; text: based on the length of the texts, if there are no runs.',
          ),
        runs: z.int().describe('Past runs that the estimate is based on.'),
        ...range,
      }),
    )
    .describe('Cost of each target’s cells.'),
  judge: z
    .object({ model: storedModel, calls: z.int().describe('Upper bound.'), ...range })
    .nullable()
    .describe('Cost of grading by a model; null: no assertion needs it.'),
})
export type EvaluationEstimate = z.infer<typeof evaluationEstimate>

export const evaluationForecast = evaluationEstimate.extend({
  asksToFill: z
    .array(z.string())
    .describe(
      'Names of your private variables, in lower case, that somebody else brought into the texts and some case has no ' +
        'value for (D69): `fills` of the start allows them.',
    ),
})
export type EvaluationForecast = z.infer<typeof evaluationForecast>

const evaluationTarget = z.object({
  position,
  version,
  model: storedModel.nullable().describe('null: a chain, whose steps have their own.'),
  modelId: z.string().nullable().describe('Model that answered, by the provider’s name; null: none yet.'),
  labels: z.array(z.string()).describe('Labels that point to the version now.'),
})
export type EvaluationTarget = z.infer<typeof evaluationTarget>

const evaluationCase = z.object({
  position,
  name: z.string().describe('Value when the evaluation started.'),
  tags: z.array(z.string()).describe('Tags when the evaluation started.'),
  given: z.string().describe('Its values, or its input, in one line.'),
})
export type EvaluationCase = z.infer<typeof evaluationCase>

const place = { casePosition: position, targetPosition: position }

export const evaluationCell = z.object({
  ...place,
  status: cellStatus,
  reason: z.string().nullable().describe('The first failed assertion, in words.'),
  failing: z.int().describe('Assertions that failed.'),
  notRun: z.int().describe('Assertions that can’t run here; these never count as passed.'),
  score: z.number().nullable().describe('0 to 1.'),
  durationMs: z.int().nullable().describe('From the call to the end of the answer.'),
  costUsd: usd.nullable().describe('Run and judge together; null: no price is known.'),
  executionId: id.nullable().describe('Id of its run, if it still exists and the caller may open it.'),
  reusedFrom: id.nullable().describe('Evaluation whose result is reused.'),
})
export type EvaluationCell = z.infer<typeof evaluationCell>

export const evaluationCellDetail = evaluationCell.extend({
  caseName: z.string().describe('Value when the evaluation started.'),
  results: z.array(assertionResult).describe('Results of the assertions.'),
})
export type EvaluationCellDetail = z.infer<typeof evaluationCellDetail>

const KEPT =
  'null: another person’s evaluation that may use private values, of which the caller sees only that it exists (D68).'

const head = {
  id,
  kind: z.enum(RECORD_KINDS).describe('Whether a prompt or a chain is tested.'),
  recordId: id.describe('Id of the prompt or chain.'),
  recordName: z.string().describe('Current title or name.'),
  suiteId: id.nullable().describe('null: the suite was deleted.'),
  suiteName: z.string().describe('Value when the evaluation started.'),
  status: z
    .enum([...EVALUATION_STATUSES, ...presenceStatus.options])
    .describe(`${evaluationStatus.description} started, ended: ${presenceStatus.description}`),
  stopReason: z.string().nullable().describe('Why it was stopped.'),
  startedBy: z.string().describe('Username of the person whose rights, values and budget it uses.'),
  isMine: z.boolean().describe('The caller started it.'),
  startedAt: timestamp,
  finishedAt: timestamp.nullable().describe('When its last cell ended.'),
  costUsd: usd.nullable().describe(`In US dollars; excludes anything without a known price; ${KEPT}`),
}

export const listedEvaluation = z.object({
  ...head,
  cells: z.int().describe('All cells.'),
  ended: z.int().nullable().describe(`Cells that have ended; ${KEPT}`),
  passed: z.int().nullable().describe(`Cells that passed, among those whose result the caller sees; ${KEPT}`),
  private: z
    .int()
    .nullable()
    .describe(`Ended cells whose result only the person who ran them sees (D59); ${KEPT}`),
  targets: z
    .array(z.object({ version, model: storedModel.nullable() }))
    .describe('Pairs of version and model that are compared.'),
})
export type ListedEvaluation = z.infer<typeof listedEvaluation>

export const evaluation = z.object({
  ...head,
  ceilingUsd: z.number().describe('US dollars after which no further cell starts.'),
  uncounted: z.int().nullable().describe(`Ended cells of unknown cost; ${KEPT}`),
  estimate: evaluationEstimate
    .nullable()
    .describe(
      'Estimate made before the start; null: another person’s evaluation, whose estimate may reveal their runs.',
    ),
  judgeModel: storedModel.nullable().describe('Model that grades; null: no assertion asks a model.'),
  reuse: z.boolean().describe('Results of earlier evaluations were reused.'),
  baseline: position.describe('Position of the target that the others are compared with.'),
  targets: z.array(evaluationTarget).describe('The columns.'),
  cases: z.array(evaluationCase).describe('The rows, frozen at the start.'),
  cells: z.array(evaluationCell).describe('By case, then target.'),
  gates: z.array(z.string()).describe('Labels that require a passed suite before they are moved.'),
  isCurrent: z.boolean().describe('The suite’s cases have not changed since.'),
  canStop: z.boolean().describe('The caller may stop it.'),
  canResume: z.boolean().describe('The caller may resume it.'),
  canDelete: z.boolean().describe('The caller may delete it.'),
})
export type Evaluation = z.infer<typeof evaluation>

export const versionTests = z.object({
  version,
  cells: z
    .int()
    .describe(
      'Cells of its newest completed evaluation with each suite, by any model, whose result the caller sees.',
    ),
  passed: z.int().describe('How many of these cells passed.'),
})
export type VersionTests = z.infer<typeof versionTests>
