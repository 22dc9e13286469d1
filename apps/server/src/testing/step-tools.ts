import type { HttpTool, MailTool } from '@catenary/contracts'

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

/** Whom a step mails what. */
export function makeMailTool(fields: Partial<MailTool> = {}): MailTool {
  return { type: 'mail', to: ['ana@example.com'], subject: 'An order', text: 'It is {{input}}.', ...fields }
}
