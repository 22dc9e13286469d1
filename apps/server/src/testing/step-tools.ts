import type { HttpTool } from '@catenary/contracts'

/** What a step calls. */
export function makeStepTool(fields: Partial<HttpTool> = {}): HttpTool {
  return {
    type: 'http',
    method: 'POST',
    url: 'https://shop.example.org/v1/refunds',
    query: [],
    headers: [],
    body: { type: 'json', content: '{"order": {{input}}}' },
    answer: { as: 'json' },
    safeToRepeat: false,
    ...fields,
  }
}
