import * as z from 'zod'
import { id } from '../common.ts'
import { shownFills } from '../fills.ts'
import { STEP_KINDS, sayOfKinds } from '../settings/step-kinds.ts'
import { runStep } from './run-steps.ts'
import { runValues } from './runs.ts'

/** The body may be absent. */
export const previewStepRequest = z
  .strictObject({
    executionId: id
      .optional()
      .describe(
        'Run of the chain whose values it takes, of which the caller can read the texts. Default: the newest such run that has ended, if there is one.',
      ),
    variableValues: runValues
      .optional()
      .describe(
        'Values that override the stored ones and those of the run; for an image or document, the filePath of one of your files.',
      ),
    fills: shownFills.describe(
      'Names of your private variables that may be filled in where somebody else brought the name into the text (D69). The others are in `withheld`.',
    ),
  })
  .nullish()
export type PreviewStepRequest = NonNullable<z.infer<typeof previewStepRequest>>

const names = z.array(z.string())

export const stepPreview = runStep
  .pick({
    title: true,
    model: true,
    promptId: true,
    promptLabel: true,
    promptVersion: true,
    outputVariableName: true,
    inputSegments: true,
    resolved: true,
    fromOutside: true,
    attachments: true,
    systemPrompt: true,
    messages: true,
    settings: true,
  })
  .extend({
    executionId: id.nullable().describe('The run whose values it has; null: there is none.'),
    position: runStep.shape.position.describe('Position of the step in the chain as it is now, from 0.'),
    kind: z.enum(STEP_KINDS).describe(`${sayOfKinds('shows')}.`),
    inputContent: z
      .string()
      .nullable()
      .describe(
        'Text as it would be sent; for a step with a list, for the first item. null: it can’t be made, as `problem` says.',
      ),
    missing: names.describe(
      'Names of variables, inputs and outputs of earlier steps that have no value here. In the texts they stay as written.',
    ),
    withheld: names.describe(
      'Names of the caller’s private variables that somebody else brought in, which would be filled in only if `fills` lists them.',
    ),
    condition: z
      .object({
        text: z.string().describe('The condition as a sentence.'),
        holds: z.boolean().nullable().describe('Whether the step would run; null: it can’t be read.'),
        problem: z.string().nullable().describe('Why it can’t be read; null: it can.'),
      })
      .nullable()
      .describe(
        'Of a step that runs only if something holds; for one with a list, if it names the item, for the first. null: it always runs.',
      ),
    items: z
      .object({
        count: z.int().nullable().describe('How many items the list has; null: it can’t be read.'),
        first: z
          .string()
          .nullable()
          .describe('The first item, which the texts are for; null: there is none.'),
        problem: z.string().nullable().describe('Why the run would end here; null: it would not.'),
      })
      .nullable()
      .describe('Of a step that runs for each item of a list; null: it runs once.'),
    problem: z
      .string()
      .nullable()
      .describe('Why a run would stop at this step; null: nothing is known that would stop it.'),
    inputTokens: z
      .int()
      .nullable()
      .describe('Estimate of what would be sent to the model; null: nothing would be.'),
  })
export type StepPreview = z.infer<typeof stepPreview>
