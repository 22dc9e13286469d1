import { ask } from '../lib/crowd.ts'
import { again, make, makePrompt, type Scenario } from './scenario.ts'

const DAY_MS = 86_400_000

/** Results that take a mail's layout minutes. */
export const mails: Scenario = {
  name: 'mails of 100 kB of [a][a]…',
  async prepare({ mallory, ada, provider }) {
    provider.replyByDefault({ text: ['[a]'.repeat(33_000)] })
    const own = await makePrompt(ada)
    const chain = await make(mallory, '/api/chains', { name: 'Digest' })
    const step = { content: 'Go on. {{input}}', model: 'claude', outputVariableName: 'out' }
    await make(mallory, `/api/chains/${chain.id}/steps`, step)
    const schedule = await make(mallory, `/api/chains/${chain.id}/schedule`, {
      scheduledTime: new Date(Date.now() + DAY_MS).toISOString(),
      ...{ timeZone: 'UTC', isRecurring: true, recurringType: 'daily' },
      emailRecipients: ['mallory@example.org'],
    })
    const path = `/api/scheduled-runs/${schedule.id}/execute`
    return {
      attack: (signal) => again({ signal, atOnce: 2, what: () => ask(mallory, { method: 'POST', path }) }),
      victim: { 'one prompt': () => ask(ada, { path: `/api/prompts/${own.id}` }) },
    }
  },
}
