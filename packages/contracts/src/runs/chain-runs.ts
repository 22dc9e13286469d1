import * as z from 'zod'
import { RUN_IS_KEPT } from '../activity-kinds.ts'
import { waitingFor } from '../asks/asks.ts'
import { id, idParams, timestamp } from '../common.ts'
import { defineApi } from '../endpoint.ts'
import { shownFills } from '../fills.ts'
import { CUT_REASONS, cut, finishReason, modelAlias, storedModel } from '../installation/models.ts'
import type { Whole } from '../lists.ts'
import { RECORD_KINDS } from '../records/records.ts'
import { movableLabel, versionNumber } from '../records/version-labels.ts'
import { askedSend, shownSends, wouldLeave } from '../sends.ts'
import { valueOrigins } from '../variables/variables.ts'
import { askedFields } from './asked-settings.ts'
import { presenceOf, presenceSight, presenceStatus } from './present-runs.ts'
import { ownRating } from './ratings.ts'
import { runAttachments } from './run-attachments.ts'
import {
  RUN_STATUSES,
  runPrivacy,
  runStatus,
  runValues,
  textsDeleted,
  USER_INPUT_MAX,
  usage,
} from './runs.ts'
import { structured } from './structured-answers.ts'
import { limitWaitMs, stepFallback } from './waits-and-fallbacks.ts'

/** The body may be absent (D28). */
const executeChainRequest = z
  .strictObject({
    input: z.string().max(USER_INPUT_MAX).optional().describe('Value of {{input}} and {{input_context}}.'),
    variableValues: runValues
      .optional()
      .describe(
        'Values that override the stored ones in all steps; for an image or document, the filePath of one of your files.',
      ),
    fills: shownFills,
    sends: shownSends,
  })
  .nullish()
export type ExecuteChainRequest = NonNullable<z.infer<typeof executeChainRequest>>

const resumeRequest = z
  .strictObject({
    model: modelAlias
      .optional()
      .describe('Model to run the failed step with instead of its own; the chain is not changed.'),
    fills: shownFills.describe(
      'Names of your private variables that may be filled in, in addition to those that the run began with (D69).',
    ),
    sends: shownSends,
  })
  .nullish()

const stepStatus = z
  .enum(['waiting', ...RUN_STATUSES, 'asking', 'skipped'])
  .describe(
    'waiting: for an earlier step to end; asking: for a person to answer; skipped: it did not run, and the run went on.',
  )
export type StepStatus = z.infer<typeof stepStatus>

/** A part of the rendered input that a reference brought; what no segment covers comes from the template. */
const inputSegment = z.object({
  start: z.int().describe('UTF-16 offset in inputContent.'),
  end: z.int().describe('End offset, exclusive.'),
  kind: z.enum(['variable', 'output']).describe('output: an earlier step’s output, or the run’s input.'),
  name: z.string().describe('Name in the reference.'),
})
export type InputSegment = z.infer<typeof inputSegment>

export const runStep = usage.extend({
  id: id.describe('Id of the chain’s step; in a prompt’s run, of the run.'),
  position: z.int().describe('Position in the run, from 0.'),
  status: stepStatus,
  title: z.string().describe('Value when the run started.'),
  model: storedModel.nullable().describe('Model that it asks; null: it asks none.'),
  modelId: z.string().nullable().describe('Model named in the reply.'),
  provider: z.string().nullable().describe('Provider that answered.'),
  fallback: stepFallback.nullable().describe('Fallback model that answered; null: the step’s own model did.'),
  finishReason: finishReason.nullable(),
  cut,
  promptId: id.nullable(),
  promptLabel: movableLabel.nullable().describe('Label that selected this version; null: none.'),
  promptVersion: z.int().nullable().describe('The version that ran; null: the copy in the step (D29).'),
  outputVariableName: z
    .string()
    .nullable()
    .describe("Name that later steps use for its output; null in a prompt's run."),
  executedAt: timestamp.nullable(),
  inputContent: z.string().nullable().describe('Text as sent.'),
  inputSegments: z.array(inputSegment).describe('References in the text, in order, without overlap.'),
  resolved: valueOrigins.describe('Sources of the variables’ values.'),
  attachments: runAttachments,
  systemPrompt: z.string().describe('Text as sent.'),
  ...askedFields,
  aiResponse: z.string().nullable().describe('The answer; null: none yet.'),
  structured,
  outputVariableValue: z.string().nullable().describe('Text that later steps receive.'),
  error: z.string().nullable().describe('Why it failed or was stopped.'),
  errorCode: z.string().nullable().describe('Error code.'),
  skipReason: z.string().nullable().describe('Why it was skipped; null: it was not.'),
  retries: z.int().describe('Failed calls before the last one (D30).'),
  limitWaitMs,
})
export type RunStep = Whole<z.infer<typeof runStep>>

export const listedRunStep = runStep.extend({
  contentClipped: z
    .literal(true)
    .optional()
    .describe(
      'The run is too large to return in full: this step’s input and answer are cut off at 500 characters, and its other texts are omitted. GET /api/executions/{id}/steps/{position} returns everything.',
    ),
})
export type ListedRunStep = z.infer<typeof listedRunStep>

export const TRIGGERS = ['manual', 'schedule', 'token', 'evaluation'] as const

const apiCall = z
  .object({
    path: z.string().describe('Path of the request, such as /v1/messages.'),
    ignored: z.array(z.string()).describe('Request fields that don’t apply to a chain (D43).'),
  })
  .nullable()
  .describe('The call to the compatible API; null: the run was started another way.')

export const chainRunSummary = usage.extend({
  id,
  chainId: id,
  chainName: z.string().describe('Value when the run started.'),
  chainVersion: versionNumber
    .nullable()
    .describe('Version of the chain; null: the run is from before versions existed.'),
  chainLabel: movableLabel.nullable().describe('Label that selected it; null: none.'),
  status: runStatus,
  trigger: z.enum(TRIGGERS).describe('What started it.'),
  token: z
    .object({ id, name: z.string().describe('Current name.') })
    .nullable()
    .describe('Token that called it; null: none, or it was deleted.'),
  apiCall,
  executedAt: timestamp,
  finishedAt: timestamp.nullable(),
  executedBy: z.string().describe('Username of the person it ran as.'),
  stepCount: z.int().describe('Steps of the run.'),
  completedSteps: z.int().describe('Steps that have completed.'),
  cutSteps: z.int().describe('Steps whose answer was or may have been cut off.'),
  cut: cut.describe('A step’s answer is or may be cut off (D71). Absent: none is.'),
  error: z.string().nullable().describe('Why it failed or was stopped.'),
  canResume: z.boolean().describe('The caller may resume it from the first step that did not complete.'),
  canStop: z.boolean().describe('The caller may stop it while it runs.'),
  waitingFor: waitingFor.optional(),
  ...runPrivacy,
  isSeenByEditors: z
    .boolean()
    .describe(
      'The chain’s owner and editors see it too (D42), but not its texts if it used private values (D59).',
    ),
  rating: ownRating,
})
export type ChainRunSummary = z.infer<typeof chainRunSummary>

export const presenceFields = {
  id,
  chainId: id,
  chainVersion: chainRunSummary.shape.chainVersion,
  status: presenceStatus,
  executedAt: timestamp,
  executedBy: chainRunSummary.shape.executedBy,
  canStop: z.boolean().describe('The caller may stop it. The answer doesn’t reveal whether it is running.'),
  sight: presenceSight,
  usesPrivateValues: z
    .literal(true)
    .describe(
      'It may use a value that only its runner sees, or this is unknown. The caller sees more of any other run.',
    ),
}

export const chainRunPresence = presenceOf(chainRunSummary, presenceFields)
export type ChainRunPresence = z.infer<typeof chainRunPresence>

export const seenChainRun = z.discriminatedUnion('sight', [chainRunSummary, chainRunPresence])
export type SeenChainRun = z.infer<typeof seenChainRun>

export const tokenRun = chainRunSummary.extend({
  chainId: id.nullable(),
  promptId: id.nullable(),
  chainName: z.string().describe('Title or name when the run started.'),
})
export type TokenRun = z.infer<typeof tokenRun>

export const runDetails = chainRunSummary.extend({
  kind: z.enum(RECORD_KINDS).describe('prompt: a run of one prompt, outside any chain.'),
  chainId: id.nullable(),
  input: z.string().describe('Value of {{input}} and {{input_context}}.'),
  output: z.string().nullable().describe('Output of the last step.'),
  finishReason: z
    .enum(CUT_REASONS)
    .optional()
    .describe(
      'Why the first cut-off answer ended. length: at a limit; unknown: no known reason. Absent: none was cut off.',
    ),
  result: z
    .object({ output: z.string().nullable().describe('Same as output.') })
    .nullable()
    .describe('null until completed.'),
  errorCode: z.string().nullable().describe('Error code.'),
  wouldLeave,
  textsDeleted,
  steps: z.array(listedRunStep).describe('In running order.'),
})
export type RunDetails = z.infer<typeof runDetails>

export const runPresence = presenceOf(runDetails, {
  ...presenceFields,
  kind: runDetails.shape.kind,
})
export type RunPresence = z.infer<typeof runPresence>

export const seenRun = z.discriminatedUnion('sight', [runDetails, runPresence])
export type SeenRun = z.infer<typeof seenRun>

export const latestChainRun = z.object({
  chainId: id,
  id: id.describe('Id of the run.'),
  status: runStatus,
  stepCount: z.int().describe('Steps of the run.'),
  completedSteps: z.int().describe('Steps that have completed.'),
  executedAt: timestamp,
  finishedAt: timestamp.nullable(),
  waitingFor: waitingFor.optional(),
})
export type LatestChainRun = z.infer<typeof latestChainRun>

export const seenLatestRun = z.discriminatedUnion('status', [
  latestChainRun,
  presenceOf(latestChainRun, {
    chainId: id,
    id: latestChainRun.shape.id,
    status: presenceStatus,
    executedAt: timestamp,
  }),
])
export type SeenLatestRun = z.infer<typeof seenLatestRun>

export const startedRun = z.object({ id, chainId: id, status: runStatus, executedAt: timestamp })
export type StartedRun = z.infer<typeof startedRun>

export const chainRunsApi = defineApi('executions', {
  'GET /api/chains/{id}/sends': {
    who: 'user',
    summary: 'Where your private values would go in a run of a chain',
    description:
      'In the order of the steps. Empty where none takes in a private value of the caller’s, and where the caller alone saved all that the chain runs.',
    params: idParams,
    reply: z.array(askedSend),
  },
  'POST /api/chains/{id}/execute': {
    who: 'user',
    summary: 'Run a chain',
    description: 'Returns the run’s id at once; the run continues in the background.',
    params: idParams,
    body: executeChainRequest,
    created: startedRun,
    writes: 'unlimited',
    limits: ['runs'],
    activity: { none: RUN_IS_KEPT },
  },
  'POST /api/executions/{id}/resume': {
    who: 'user',
    summary: 'Resume a run of a chain from the step that failed',
    description:
      'Completed steps are not repeated. The others run as they are in the chain now, provided that the ' +
      'completed ones still come first; otherwise they run as they were when the run started.',
    params: idParams,
    body: resumeRequest,
    reply: startedRun,
    writes: 'unlimited',
    limits: ['runs'],
    activity: { none: RUN_IS_KEPT },
  },
})
