import type { ChainStep } from '@catenary/contracts'
import { makeStep } from '../../../testing/make-chain.ts'

const text = { type: 'string' }

/** A step that books a refund with a shop's service. */
export function makeToolStep(fields: Partial<ChainStep> = {}): ChainStep {
  return makeStep({
    id: 2,
    kind: 'tool',
    title: 'Book the refund',
    content: '',
    model: null,
    outputVariableName: 'refund',
    tool: {
      type: 'http',
      method: 'POST',
      url: 'https://shop.example.org/v1/orders/{{triage}}/refunds',
      query: [{ name: 'lang', value: 'de' }],
      headers: [
        { name: 'Authorization', value: 'Bearer $<shop_key>' },
        { name: 'X-Team', value: 'support' },
      ],
      body: { type: 'json', content: '{"note": "{{triage}}"}' },
      answer: {
        as: 'json',
        schema: {
          type: 'object',
          properties: { id: text, state: { ...text, enum: ['booked', 'refused'] } },
          required: ['id', 'state'],
          additionalProperties: false,
        },
      },
      safeToRepeat: true,
    },
    ...fields,
  })
}
