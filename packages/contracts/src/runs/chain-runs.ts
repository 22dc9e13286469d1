import * as z from 'zod'
import { errorReply, id, idParam, timestamp } from '../common.ts'
import { finishReason, modelAlias, storedModel } from '../installation/models.ts'
import type { Whole } from '../lists.ts'
import { valueOrigins } from '../variables.ts'
import { movableLabel, versionNumber } from '../version-labels.ts'
import {
  ownRating,
  pageQuery,
  RUN_STATUSES,
  ratedQuery,
  runPrivacy,
  runStatus,
  textsDeleted,
  USER_INPUT_MAX,
  usage,
} from './runs.ts'

/** POST /api/chains/{id}/execute; the body may be absent (D28). */
export const executeChainRequest = z
  .strictObject({
    input: z
      .string()
      .max(USER_INPUT_MAX)
      .optional()
      .describe('What {{input}} and {{input_context}} stand for.'),
  })
  .nullish()

/** POST /api/executions/{id}/resume; the body may be absent. */
export const resumeRequest = z
  .strictObject({
    model: modelAlias
      .optional()
      .describe("Runs the step that failed, in place of the step's own; the chain stays as it is."),
  })
  .nullish()

const stepStatus = z.enum(['waiting', ...RUN_STATUSES]).describe('waiting: an earlier step comes first.')
export type StepStatus = z.infer<typeof stepStatus>

/** A part of the rendered input that a reference brought; what no segment covers stood in the template. */
const inputSegment = z.object({
  start: z.int().describe('UTF-16 offset in inputContent.'),
  end: z.int().describe('The first offset after it.'),
  kind: z.enum(['variable', 'output']).describe('output: of an earlier step, or the input of the run.'),
  name: z.string().describe('As the reference has it.'),
})
export type InputSegment = z.infer<typeof inputSegment>

/** GET /api/executions/{id}/steps/{position} */
export const runStep = usage.extend({
  id: id.describe("The chain's step; in a prompt's run, the run."),
  position: z.int().describe('0 for the first, whatever the positions in the chain were.'),
  status: stepStatus,
  title: z.string().describe('As it was when the run started.'),
  model: storedModel,
  modelId: z.string().nullable().describe('The model that the reply named.'),
  provider: z.string().nullable().describe('Who answered.'),
  fallback: z
    .object({ model: storedModel, reason: z.string().describe("Why the step's own model failed.") })
    .nullable()
    .describe("The model that answered in place of the step's own; null: its own did."),
  finishReason: finishReason.nullable(),
  promptId: id.nullable(),
  promptLabel: movableLabel.nullable().describe('The label by which that version was found; null: none.'),
  promptVersion: z.int().nullable().describe('The version that ran; null: the copy in the step (D29).'),
  outputVariableName: z
    .string()
    .nullable()
    .describe("What later steps call its output; null in a prompt's run."),
  executedAt: timestamp.nullable(),
  inputContent: z.string().nullable().describe('As it was sent.'),
  inputSegments: z.array(inputSegment).describe('In order, without overlap.'),
  resolved: valueOrigins.describe('Where the values of variables came from.'),
  systemPrompt: z.string().describe('As it was sent.'),
  aiResponse: z.string().nullable().describe('The answer; null before there is one.'),
  outputVariableValue: z.string().nullable().describe('What later steps get.'),
  error: z.string().nullable().describe('Why it failed, or that it was stopped.'),
  errorCode: z.string().nullable().describe('The kind of failure, for programs.'),
  retries: z.int().describe('Calls that failed before the last one (D30).'),
})
export type RunStep = Whole<z.infer<typeof runStep>>

/** A step in GET /api/executions/{id}: of a large run its texts are clipped. */
export const listedRunStep = runStep.extend({
  contentClipped: z
    .literal(true)
    .optional()
    .describe(
      'The run is too large to be given whole: input and answer of this step end at 500 characters, the rest of its texts is left out; GET /api/executions/{id}/steps/{position} has all of it.',
    ),
})
export type ListedRunStep = z.infer<typeof listedRunStep>

export const runStepParams = z.strictObject({
  id: idParam.describe('Of the run.'),
  position: z
    .string()
    .regex(/^[0-9]{1,4}$/, 'Must be a whole number')
    .transform(Number)
    .describe('Of the step in the run; 0 for the first.'),
})

const TRIGGERS = ['manual', 'schedule', 'token', 'evaluation'] as const

const apiCall = z
  .object({
    path: z.string().describe('Such as /v1/messages.'),
    ignored: z.array(z.string()).describe('What of the request has no meaning for a chain (D43).'),
  })
  .nullable()
  .describe('What of the compatible API was called; null: the run was started otherwise.')

/** A card of GET /api/chains/{id}/executions, newest first. */
export const chainRunSummary = usage.extend({
  id,
  chainId: id,
  chainName: z.string().describe('As it was when the run started.'),
  chainVersion: versionNumber
    .nullable()
    .describe('The version of the chain that runs; null: the run began before chains had versions.'),
  chainLabel: movableLabel.nullable().describe('The label by which it was found; null: none.'),
  status: runStatus,
  trigger: z.enum(TRIGGERS).describe('What started it.'),
  token: z
    .object({ id, name: z.string().describe('As it is now.') })
    .nullable()
    .describe('Through which it was called; null: through none, or it is deleted.'),
  apiCall,
  executedAt: timestamp,
  finishedAt: timestamp.nullable(),
  executedBy: z.string().describe('Username of the person as whom it ran.'),
  stepCount: z.int().describe('Steps of the run.'),
  completedSteps: z.int().describe('Those of them that are through.'),
  cutSteps: z.int().describe('Those of them whose answer the model cut at its token limit.'),
  error: z.string().nullable().describe('Why it failed, or that it was stopped.'),
  canResume: z.boolean().describe('The caller may have it go on from the first step that did not complete.'),
  canStop: z.boolean().describe('The caller may stop it while it is under way.'),
  ...runPrivacy,
  isSeenByEditors: z
    .boolean()
    .describe(
      "The chain's owner and editors see it too (D42), its texts unless it used private values (D59).",
    ),
  rating: ownRating,
})
export type ChainRunSummary = z.infer<typeof chainRunSummary>

/** GET /api/tokens/{id}/executions, newest first: of a chain, or of a prompt. */
export const tokenRun = chainRunSummary.extend({
  chainId: id.nullable(),
  promptId: id.nullable(),
  chainName: z.string().describe('What ran, as it was called when the run started.'),
})
export type TokenRun = z.infer<typeof tokenRun>

/** GET /api/chains/{id}/executions */
export const chainHistoryQuery = pageQuery.extend({
  ...ratedQuery,
  trigger: z.enum(TRIGGERS).optional().describe('Only runs that it started.'),
})
export type ChainHistoryQuery = z.output<typeof chainHistoryQuery>

/** GET /api/executions/{id}; for a prompt's run too, with its one step (D31). */
export const runDetails = chainRunSummary.extend({
  kind: z.enum(['prompt', 'chain']).describe('prompt: a run of one step, outside any chain.'),
  chainId: id.nullable(),
  input: z.string().describe('What {{input}} and {{input_context}} stood for.'),
  output: z.string().nullable().describe('Of the last step.'),
  result: z
    .object({ output: z.string().nullable().describe('The same as output.') })
    .nullable()
    .describe('null until completed.'),
  errorCode: z.string().nullable().describe('The kind of failure, for programs.'),
  textsDeleted,
  steps: z.array(listedRunStep).describe('In the order in which they run.'),
})
export type RunDetails = z.infer<typeof runDetails>

/** GET /api/latest-chain-runs: what a card says of the newest run of its chain, of those the caller sees. */
export const latestChainRun = z.object({
  chainId: id,
  id: id.describe('Of the run.'),
  status: runStatus,
  stepCount: z.int().describe('Steps of the run.'),
  completedSteps: z.int().describe('Those of them that are through.'),
  executedAt: timestamp,
  finishedAt: timestamp.nullable(),
})
export type LatestChainRun = z.infer<typeof latestChainRun>

/** POST execute and resume: the run's id at once; it goes on by itself. */
export const startedRun = z.object({ id, chainId: id, status: runStatus, executedAt: timestamp })
export type StartedRun = z.infer<typeof startedRun>

/** What a watcher needs of a step: without its texts. */
const stepState = runStep
  .pick({ position: true, status: true, error: true, retries: true, finishReason: true })
  .extend(usage.shape)
  .extend({
    startedAt: timestamp
      .optional()
      .describe('When the step under way began, where the process that answers knows it.'),
  })
export type StepState = z.infer<typeof stepState>

/** GET /api/executions/{id}/status */
export const runState = z.object({
  id,
  status: runStatus,
  error: runDetails.shape.error,
  canResume: runDetails.shape.canResume,
  canStop: runDetails.shape.canStop,
  sight: runDetails.shape.sight,
  steps: z.array(stepState).describe('In the order in which they run.'),
})
export type RunState = z.infer<typeof runState>

/**
 * Events of GET /api/executions/{id}/events. `state` comes first and after each change; `end` is the last, or `error`,
 * after which the run may still go on.
 */
export const runWatchEvents = {
  state: runState,
  delta: z.object({
    position: z.int().describe('Of the step.'),
    from: z
      .int()
      .describe('Where the piece begins in the answer of the step: who missed some asks for the run.'),
    text: z.string().describe('The next piece of the answer.'),
  }),
  end: z.object({ status: runStatus }),
  error: errorReply,
}
