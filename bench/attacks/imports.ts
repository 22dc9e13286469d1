import { ask, type Caller } from '../lib/crowd.ts'
import { again, makePrompt, type Scenario } from './scenario.ts'

const FILE = 'tests:\n- vars: {name: Ada}\n  assert: [{type: icontains, value: Ada}]\n'
const KEYS = `tests: []\n${Array.from({ length: 60_000 }, (_, index) => `k${index}: 1`).join('\n')}`

/** Files that take a parser minutes. */
export const imports: Scenario = {
  name: 'files of 60,000 keys',
  async prepare({ mallory, ada }) {
    const [hostile, own] = [await makePrompt(mallory), await makePrompt(ada)]
    const read = (by: Caller, id: number, text: string, signal?: AbortSignal) =>
      ask(by, {
        ...{ method: 'POST', path: `/api/prompts/${id}/test-suites/import` },
        body: { format: 'promptfoo', text, dryRun: true },
        ...(signal && { signal }),
      })
    return {
      attack: (signal) => again({ signal, atOnce: 4, what: () => read(mallory, hostile.id, KEYS, signal) }),
      victim: {
        'one prompt': () => ask(ada, { path: `/api/prompts/${own.id}` }),
        'a small import': () => read(ada, own.id, FILE),
      },
    }
  },
}
