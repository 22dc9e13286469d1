import { ask, type Caller } from '../lib/crowd.ts'
import { again, makePrompt, type Scenario } from './scenario.ts'

const PATTERNS = Array.from({ length: 20 }, () => ({ type: 'regex', value: '^(a+)+$' }))

/** Patterns that never end. */
export const gradings: Scenario = {
  name: '20 calls of 20 patterns',
  async prepare({ mallory, ada }) {
    const own = await makePrompt(ada)
    const grade = (by: Caller, assertions: object[], text: string, signal?: AbortSignal) =>
      ask(by, {
        ...{ method: 'POST', path: '/api/test-suites/grade', body: { assertions, answer: { text } } },
        ...(signal && { signal }),
      })
    return {
      attack: (signal) =>
        again({ signal, atOnce: 20, what: () => grade(mallory, PATTERNS, `${'a'.repeat(40)}!`, signal) }),
      victim: {
        'one prompt': () => ask(ada, { path: `/api/prompts/${own.id}` }),
        'a grading': () => grade(ada, [{ type: 'regex', value: '^Dear' }], 'Dear Ada'),
      },
    }
  },
}
