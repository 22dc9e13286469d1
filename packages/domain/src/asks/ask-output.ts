import type { StepAsk } from '@catenary/contracts'
import type { JsonSchema } from '../answer-schema/schema-node.ts'

export interface AskOutput {
  decision: string
  text: string
  reason: string
  by: string
  at: string
}

/** What later steps take of an answer; whoever gave none leaves the reason and their name empty. */
export const askOutput = ({ decision, text, reason, by, at }: AskOutput): string =>
  JSON.stringify({ decision, text, reason, by, at })

/** Its fields, as far as they can be named beforehand. */
export function askOutputSchema({ choices }: Pick<StepAsk, 'choices'>): JsonSchema {
  const text = { type: 'string' }
  return {
    type: 'object',
    properties: {
      decision: { type: 'string', enum: choices.map(({ id }) => id) },
      text,
      reason: text,
      by: text,
      at: text,
    },
    required: ['decision', 'text', 'reason', 'by', 'at'],
    additionalProperties: false,
  }
}
