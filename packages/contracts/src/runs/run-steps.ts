import * as z from 'zod'
import { id, idParam, timestamp } from '../common.ts'
import { cut, finishReason, storedModel } from '../installation/models.ts'
import type { Whole } from '../lists.ts'
import { movableLabel } from '../records/labels.ts'
import { flowSettings } from '../settings/step-flow.ts'
import { valueOrigins } from '../variables/variables.ts'
import { askedFields } from './asked-settings.ts'
import { runAttachments } from './run-attachments.ts'
import { RUN_STATUSES, usage } from './runs.ts'
import { structured } from './structured-answers.ts'
import { limitWaitMs, stepFallback } from './waits-and-fallbacks.ts'

const place = (what: string) =>
  z
    .string()
    .regex(/^[0-9]{1,4}$/, 'Must be a whole number')
    .transform(Number)
    .describe(what)

export const stepOfRunParams = z.strictObject({
  id: idParam.describe('Id of the run.'),
  position: place('Position of the step in the run, from 0.'),
})
export const itemOfRunParams = stepOfRunParams.extend({
  index: place('Place of the item in the list, from 0.'),
})

const stepStatus = z
  .enum(['waiting', ...RUN_STATUSES, 'asking', 'unsure', 'skipped'])
  .describe(
    'waiting: for an earlier step to end; asking: for a person to answer; unsure: nobody knows whether its call happened, until its runner says so; skipped: it did not run, and the run went on.',
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

const stepFields = usage.extend({
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
  fromOutside: z
    .array(z.string())
    .optional()
    .describe(
      'Names in its texts, condition or list, of variables, inputs and outputs, whose value came from an API variable or from the caller of a token, also through the answer of an earlier step. Absent: none is known.',
    ),
  attachments: runAttachments,
  systemPrompt: z.string().describe('Text as sent.'),
  messages: askedFields.messages,
  settings: askedFields.settings
    .unwrap()
    .extend({ forEach: flowSettings.forEach })
    .optional()
    .describe(
      'Settings sent to the model besides the texts, and for each item of which list it ran; absent: none.',
    ),
  aiResponse: z.string().nullable().describe('The answer; null: none yet.'),
  structured,
  outputVariableValue: z.string().nullable().describe('Text that later steps receive.'),
  error: z.string().nullable().describe('Why it failed or was stopped.'),
  errorCode: z.string().nullable().describe('Error code.'),
  skipReason: z.string().nullable().describe('Why it was skipped; null: it was not.'),
  retries: z.int().describe('Failed calls before the last one (D30).'),
  limitWaitMs,
})

export const runItem = stepFields
  .pick({
    status: true,
    modelId: true,
    provider: true,
    fallback: true,
    finishReason: true,
    cut: true,
    executedAt: true,
    inputContent: true,
    inputSegments: true,
    resolved: true,
    systemPrompt: true,
    messages: true,
    aiResponse: true,
    structured: true,
    error: true,
    errorCode: true,
    skipReason: true,
    retries: true,
    limitWaitMs: true,
  })
  .extend(usage.shape)
  .extend({
    index: z.int().describe('Place in the list, from 0.'),
    item: z.string().nullable().describe('The item’s text; null: the caller does not see it.'),
    retriedAt: timestamp.nullable().describe('When it was last run again after a failure; null: never.'),
  })
export type RunItem = Whole<z.infer<typeof runItem>>

export const listedRunItem = runItem
  .omit({ inputSegments: true, resolved: true, systemPrompt: true, messages: true, structured: true })
  .extend({
    contentClipped: z
      .literal(true)
      .optional()
      .describe(
        'A text is cut off at 500 characters. GET /api/executions/{id}/steps/{position}/items/{index} returns everything.',
      ),
  })
export type ListedRunItem = z.infer<typeof listedRunItem>

/** As many as a run shows with its step. */
export const ITEMS_SHOWN = 20

export const itemCounts = z
  .object({
    all: z.int().describe('Items of the list.'),
    completed: z.int().describe('Those that have an answer.'),
    skipped: z.int().describe('Those that the condition left out.'),
    failed: z.int().describe('Those that failed.'),
  })
  .optional()
  .describe(
    'Of a step that runs for each item of a list: how many of them have ended. Absent: it runs once, or has not begun.',
  )
export type ItemCounts = NonNullable<z.infer<typeof itemCounts>>

export const runStep = stepFields.extend({
  itemCounts,
  items: z
    .array(listedRunItem)
    .optional()
    .describe(
      `Of a step that runs for each item of a list: the first ${ITEMS_SHOWN} items in its order. GET /api/executions/{id}/steps/{position}/items lists all. Absent: it runs once, has not begun, or the run is too large to return in full.`,
    ),
  retriedAt: timestamp.optional().describe('When its failed items were last run again; absent: never.'),
  takenFrom: id
    .optional()
    .describe(
      'Run from which it was taken over: nothing was asked, or paid for, again. Absent: it ran here.',
    ),
  laterStepsKept: z
    .literal(true)
    .optional()
    .describe('Later steps took its output from before its items were run again. Absent: none did.'),
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
