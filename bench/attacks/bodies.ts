import { ask, type Caller, newCaller } from '../lib/crowd.ts'
import { WORST_CALLS } from '../lib/worst-calls.ts'
import { again, make, makePrompt, type Scenario } from './scenario.ts'

/** Bodies that cost as much as they can until they are refused. */
const scenarioOf = (
  who: keyof typeof WORST_CALLS,
  callerOf: (mallory: Caller) => Promise<Caller>,
): Scenario => ({
  name: `the worst bodies: ${who}`,
  async prepare({ mallory, ada }) {
    const own = await makePrompt(ada)
    const caller = await callerOf(mallory)
    let count = 0
    const next = () => WORST_CALLS[who][count++ % WORST_CALLS[who].length] ?? { path: '/' }
    return {
      attack: (signal) => again({ signal, atOnce: 4, what: () => ask(caller, { ...next(), signal }) }),
      victim: {
        'one prompt': () => ask(ada, { path: `/api/prompts/${own.id}` }),
        list: () => ask(ada, { path: '/api/prompts?limit=20' }),
      },
    }
  },
})

/** A program that shows a token of the account. */
async function showing(mallory: Caller, path: string, fields: object): Promise<Caller> {
  const { token } = (await make(mallory, path, { name: 'Laptop', ...fields })) as unknown as { token: string }
  const { cookie: _, ...headers } = mallory.headers
  return { ...mallory, headers: { ...headers, authorization: `Bearer ${token}` } }
}

export const guestBodies = scenarioOf('guest', async ({ url }) => newCaller(url))
export const accountBodies = scenarioOf('account', async (mallory) => mallory)
export const importBodies = scenarioOf('imports', async (mallory) => mallory)
export const agentBodies = scenarioOf('agents', (mallory) =>
  showing(mallory, '/api/mcp-tokens', { allPrompts: true }),
)
export const programBodies = scenarioOf('programs', async (mallory) => {
  const chain = await make(mallory, '/api/chains', { name: 'Busy' })
  return showing(mallory, '/api/tokens', { chainId: chain.id })
})
