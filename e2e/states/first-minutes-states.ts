import type { FirstSteps } from '@catenary/contracts'
import { answers, changes, fails, installation, together } from './network.ts'
import type { State } from './state.ts'
import { cardsShown, inTurn, press, seen } from './steps.ts'

const EMPTY = answers('/api/prompts', [])
const PRESENT = { prompts: 8, chains: 2, variables: 4, suites: 1 }
const OPEN = { model: false, run: false, chain: false, code: false }

/** The strip with these steps done. */
const stepsDone = (done: Partial<FirstSteps['done']>, more: Partial<FirstSteps> = {}) =>
  answers('/api/first-steps', {
    ...{ isOver: false, hasKey: false, promptId: 1, chainId: 1, ...more },
    done: { ...OPEN, ...done },
  } satisfies FirstSteps)

const withExamples = changes('/api/examples', { present: PRESENT })

/** What a newcomer meets: the card of an empty library, the first steps, examples and their end. */
export const firstMinutesStates: readonly State[] = [
  {
    name: 'first-minutes',
    who: 'admin',
    path: '/',
    network: together(EMPTY, stepsDone({}), installation({ sandbox: true })),
    prepare: inTurn(seen('Start with something that runs'), seen('Add a model key')),
  },
  {
    name: 'ask-administrators',
    who: 'user',
    path: '/',
    network: together(
      installation({ sandbox: true }),
      answers('/api/users/administrators', { names: ['maren', 'ines'], others: 3 }),
    ),
    prepare: inTurn(cardsShown, seen('Ask maren, ines or 3 others to add one.')),
  },
  {
    name: 'first-minutes-failed',
    who: 'user',
    path: '/',
    network: together(EMPTY, fails('/api/first-steps'), async (page) => {
      await page.route('**/api/examples', (route) =>
        route.request().method() === 'POST'
          ? route.fulfill({ status: 403, json: { error: 'You can have 5 prompts; you have 5.' } })
          : route.continue(),
      )
    }),
    prepare: inTurn(press('Start with examples'), seen(/You can have 5 prompts/)),
  },
  {
    name: 'first-minutes-among-others',
    who: 'user',
    path: '/',
    network: stepsDone({ model: true }, { promptId: null, chainId: null }),
    prepare: inTurn(cardsShown, seen('Start with examples')),
  },
  {
    name: 'first-steps-2',
    who: 'user',
    path: '/',
    network: stepsDone({ model: true, run: true }, { hasKey: true }),
    prepare: inTurn(cardsShown, seen('2 of 4')),
  },
  {
    name: 'first-steps-4',
    who: 'user',
    path: '/',
    only: 'desk',
    network: async (page) => {
      let asked = 0
      await page.route('**/api/first-steps', (route) => {
        if (route.request().method() === 'DELETE') return route.fulfill({ status: 204 })
        asked += 1
        const done = { model: true, run: true, chain: true, code: asked > 1 }
        return route.fulfill({ json: { isOver: false, hasKey: true, promptId: 1, chainId: 1, done } })
      })
    },
    // A person who saw three done sees the fourth, as long as they stay on the page.
    prepare: inTurn(seen('3 of 4'), seen('4 of 4')),
  },
  { name: 'examples', who: 'user', path: '/', network: withExamples, prepare: seen(/^Examples: 8 prompts/) },
  {
    name: 'examples-removed',
    who: 'user',
    path: '/',
    network: async (page) => {
      await page.route('**/api/examples', async (route) => {
        if (route.request().method() === 'GET') {
          const reply = await route.fetch()
          return route.fulfill({ response: reply, json: { ...(await reply.json()), present: PRESENT } })
        }
        const kept = [
          { kind: 'prompt', name: 'Tone check', reason: 'changed' },
          { kind: 'variable', name: 'brand_voice', reason: 'used' },
        ]
        return route.fulfill({ json: { removed: { ...PRESENT, prompts: 7, variables: 3 }, kept } })
      })
    },
    prepare: inTurn(press('Remove examples'), seen(/2 stay/)),
  },
]
