import * as z from 'zod'

const fieldPath = z.string().describe('Field, such as items[0].title; empty: the whole answer.')

export const structuredAnswer = z.object({
  isValid: z.boolean().describe('The answer matches its schema.'),
  isRepaired: z
    .boolean()
    .describe(
      'It did not at first: the model was asked again, or the JSON was taken out of a code fence or other text.',
    ),
  errors: z
    .array(z.object({ path: fieldPath, message: z.string().describe('What is wrong, in one sentence.') }))
    .describe('What did not match; for a repaired answer, before the repair. At most 20.'),
  repairs: z
    .array(
      z.object({
        path: fieldPath,
        before: z
          .string()
          .nullable()
          .describe('The value, as text or JSON, cut off at 200 characters; null: there was none.'),
      }),
    )
    .describe('Fields that the repair changed. At most 20.'),
})
export type StructuredAnswer = z.infer<typeof structuredAnswer>

export const structured = structuredAnswer
  .optional()
  .describe('For an answer with a schema; absent: a plain text, or the caller may not see it.')
