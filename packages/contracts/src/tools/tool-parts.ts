import * as z from 'zod'

/** How a field says that its text has references. */
export const TOOL_TEMPLATE = 'A template, like the content'

const ANSWER_FORMS = ['text', 'json'] as const

export const toolAnswer = z
  .strictObject({
    as: z
      .enum(ANSWER_FORMS)
      .describe('text: the answer as it is; json: JSON, of which later steps take fields.'),
    schema: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('JSON Schema that an answer must match. Absent: any JSON.'),
  })
  .describe('The output of the step.')
export type ToolAnswer = z.infer<typeof toolAnswer>
