import * as z from 'zod'
import { RUN_IS_KEPT } from '../activity-kinds.ts'
import { waitingFor } from '../asks/asks.ts'
import { askedSend, shownSends, wouldLeave } from '../asks/sends.ts'
import { CHAIN_STEPS_MAX, stepParams } from '../chains.ts'
import { id, idParam, idParams, timestamp } from '../common.ts'
import { defineApi } from '../endpoint.ts'
import { shownFills } from '../fills.ts'
import { CUT_REASONS, cut, modelAlias } from '../installation/models.ts'
import { movableLabel, versionNumber } from '../records/labels.ts'
import { RECORD_KINDS } from '../records/records.ts'
import { presenceOf, presenceSight, presenceStatus } from './present-runs.ts'
import { ownRating } from './ratings.ts'
import { listedRunStep, stepOfRunParams } from './run-steps.ts'
import { runPrivacy, runStatus, runValues, textsDeleted, USER_INPUT_MAX, usage } from './runs.ts'
import { previewStepRequest, stepPreview } from './step-previews.ts'

/** Code of the refusal of a run from a step that needs outputs which the earlier run does not have. */
export const OUTPUTS_MISSING = 'outputs_missing'

const takenPlace = {
  executionId: id.describe('The earlier run.'),
  position: z
    .int()
    .min(0)
    .max(CHAIN_STEPS_MAX)
    .describe('Position of the step at which it begins, from 0, in the chain as it is when it starts.'),
}

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
    from: z
      .strictObject(takenPlace)
      .optional()
      .describe(
        'Begin at a step, with the outputs that an earlier run of this chain has of the steps before it, which are found by their names, and with its input and values; `input` is then refused. ' +
          'The caller must be able to read the texts of that run, and it must have ended. Where the steps need an output that it does not have, the call is refused with 409 and code `outputs_missing`, with `details: [{name}]`. Absent: begin at the first step.',
      ),
  })
  .nullish()
export type ExecuteChainRequest = NonNullable<z.infer<typeof executeChainRequest>>

const resumeRequest = z
  .strictObject({
    model: modelAlias
      .optional()
      .describe(
        'Model to run the failed step or items with instead of the step’s own; the chain is not changed.',
      ),
    fills: shownFills.describe(
      'Names of your private variables that may be filled in, in addition to those that the run began with (D69).',
    ),
    sends: shownSends,
  })
  .nullish()

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
  from: z
    .object({
      ...takenPlace,
      chainVersion: versionNumber
        .nullable()
        .describe('Version of the chain that the earlier run ran; null: it is from before versions existed.'),
    })
    .optional()
    .describe(
      'It took over the steps before this one from an earlier run, which may have been deleted since. Absent: it began at the first step.',
    ),
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
    query: z.strictObject({
      executionId: idParam
        .optional()
        .describe('An earlier run: where its values would go, too, in a run that begins at a later step.'),
    }),
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
  'POST /api/chains/{id}/steps/{stepId}/preview': {
    who: 'user',
    summary: 'What a step would send with the values of an earlier run',
    description:
      'Rendered as a run would; nothing is sent to a model, and nobody is asked. For those who may run the chain. Outputs come from the earlier run; ' +
      'variables have the values that they would have in a run of the caller’s now, and those that are kept elsewhere are fetched, at most 120 times a minute (429).',
    params: stepParams,
    body: previewStepRequest,
    reply: stepPreview,
    writes: 'unlimited',
    activity: { none: 'It shows what a run would send, and changes nothing.' },
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
  'POST /api/executions/{id}/steps/{position}/retry-items': {
    who: 'user',
    summary: 'Run the failed items of a step again',
    description:
      'For a run that has ended. Items that completed or were skipped are not repeated, and the steps stay as they were in ' +
      'the run. Later steps that had not begun take the new output; those that have ended stay as they are ' +
      '(laterStepsKept). Where the failed items ended the run, items that had no turn run too.',
    params: stepOfRunParams,
    body: resumeRequest,
    reply: startedRun,
    writes: 'unlimited',
    limits: ['runs'],
    activity: { none: RUN_IS_KEPT },
  },
})
