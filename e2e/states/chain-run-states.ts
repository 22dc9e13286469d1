import type { Chain, RunDetails, RunState } from '../../packages/contracts/src/index.ts'
import { answers, changes, fails, never, together } from './network.ts'
import type { State } from './state.ts'
import { button, chainShown, inTurn, press, type Step, seen, there } from './steps.ts'

const history = /^\/api\/chains\/\d+\/executions$/
const run = /^\/api\/executions\/\d+$/
const limitOf = (vendor: string) => ({
  vendor,
  isOverload: false,
  until: new Date(Date.now() + 60_000).toISOString(),
})
/** A run that fails at its second step; the earlier failed one is shown until it has begun. */
const failed: Step = inTurn(
  chainShown,
  press(/^Execute Chain/),
  async (page) => {
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    const reply = page.waitForResponse(/\/chains\/\d+\/execute$/)
    await dialog.getByRole('button', { name: /^Execute Chain/ }).click()
    const { id } = await (await reply).json()
    await page.getByRole('region', { name: `Execution #${id}`, exact: true }).waitFor()
  },
  seen('Resume from here'),
)
/** Changes the page's chain or its runs. */
type Call = (method: string, path: string, data?: object) => Promise<Chain>
/** Goes to a copy of the chain, once it is prepared. Lists tell one copy from the next. */
export const toCopy =
  (name: string, prepare: (copy: Chain, call: Call) => Promise<unknown>): Step =>
  async (page) => {
    const { origin, pathname, search } = new URL(page.url())
    const call: Call = async (method, path, data = {}) => {
      const reply = await page.request.fetch(`${origin}/api${path}`, { method, headers: { origin }, data })
      if (!reply.ok()) throw new Error(`${path}: ${reply.status()}`)
      return reply.json()
    }
    const copy = await call('POST', `${pathname}/duplicate`)
    const named = `${name} ${copy.id}`
    await call('PATCH', `/chains/${copy.id}`, { name: named })
    await prepare(copy, call)
    await page.goto(`${origin}/chains/${copy.id}${search}`)
    await seen(named)(page)
  }
/** A run of a copy of the chain: one in mid-answer ends when its model is silent too long, or when another page stops it. */
const begun: Step = inTurn(
  chainShown,
  toCopy('Offer in three steps', ({ id }, call) => call('POST', `/chains/${id}/execute`)),
  seen(/^Executing chain/),
)
const underWay: Step = inTurn(begun, seen(/The first thing to/))
const runs = there((page) => page.locator('[data-execution-id]').nth(1))

const openedStep = inTurn(runs, press('View Details'), (page) =>
  page
    .getByRole('list', { name: /^Steps of execution/ })
    .getByRole('button', { name: /Shorten it/ })
    .click(),
)

/** The runs are another person's, of which so much is seen (D42). */
function ofAnother(privacy: Partial<Pick<RunDetails, 'sight' | 'sharing' | 'usesPrivateValues'>>) {
  const theirs = { ...privacy, executedBy: 'ines', isSeenByEditors: true, canResume: false }
  return together(changes(history, theirs), changes(run, theirs))
}

/** Running a chain: asked, under way, failed, done, its history, two runs beside each other. */
export const chainRunStates: readonly State[] = [
  {
    name: 'chain-run-input',
    who: 'user',
    path: '/chains/:digest',
    prepare: chainShown,
    opener: button(/^Execute Chain/),
  },
  {
    name: 'chain-run-warnings',
    who: 'user',
    path: '/chains/:troubled',
    prepare: chainShown,
    opener: button(/^Execute Chain/),
  },
  {
    name: 'chain-run-pictures',
    who: 'user',
    path: '/chains/:digest',
    network: changes<Chain>(/^\/api\/chains\/\d+$/, ({ steps, ...chain }) => ({
      ...chain,
      steps: steps.map((step) => ({ ...step, content: `${step.content} $<screenshot> $<terms_pdf>` })),
    })),
    prepare: chainShown,
    opener: button(/^Execute Chain/),
  },
  {
    name: 'chain-running',
    who: 'user',
    path: '/chains/:endless',
    prepare: underWay,
  },
  {
    name: 'chain-waiting',
    who: 'user',
    path: '/chains/:endless',
    network: together(
      never(/^\/api\/executions\/\d+\/events$/),
      changes<RunState>(/^\/api\/executions\/\d+\/status$/, (state) => ({
        ...state,
        steps: state.steps.map((step) =>
          step.status === 'running' ? { ...step, retries: 1, waitsFor: limitOf('OpenAI') } : step,
        ),
      })),
    ),
    prepare: inTurn(begun, seen(/^Waiting for OpenAI/)),
  },
  {
    name: 'chain-cancelled',
    who: 'user',
    path: '/chains/:endless',
    prepare: inTurn(underWay, press('Stop'), seen('cancelled')),
  },
  { name: 'chain-failed', who: 'user', path: '/chains/:digest', prepare: failed },
  {
    name: 'chain-failed-input',
    who: 'user',
    path: '/chains/:digest',
    prepare: inTurn(
      failed,
      press('Rendered input'),
      there((page) => page.getByRole('list', { name: 'Where it came from' })),
    ),
  },
  {
    name: 'chain-done',
    who: 'user',
    path: '/chains/:letter',
    prepare: inTurn(
      chainShown,
      press(/^Execute Chain/),
      seen('Chain executed'),
      press(/^done/),
      there((page) => page.getByRole('figure', { name: 'Output' })),
    ),
  },
  {
    name: 'chain-answered',
    who: 'user',
    path: '/chains/:digest',
    only: 'desk',
    prepare: inTurn(
      chainShown,
      toCopy('Weekly digest', async ({ id, steps }, call) => {
        for (const step of steps) await call('PATCH', `/chains/${id}/steps/${step.id}`, { model: 'claude' })
      }),
      press(/^Execute Chain/),
      (page) =>
        page
          .getByRole('dialog')
          .getByRole('button', { name: /^Execute Chain/ })
          .click(),
      seen('Chain executed'),
      press('Close'),
      there((page) =>
        page
          .getByRole('figure', { name: 'Last Execution Result' })
          .getByRole('button', { name: 'Schedule this' }),
      ),
    ),
  },
  {
    name: 'chain-answer-figures',
    who: 'user',
    path: '/chains/:letter',
    network: ofAnother({ sight: 'figures', usesPrivateValues: true }),
    prepare: inTurn(
      there((page) => page.getByRole('region', { name: 'Last Execution Result' })),
      seen(/ines’s private values/),
    ),
  },
  { name: 'chain-history', who: 'user', path: '/chains/:letter?history=open', prepare: runs },
  {
    name: 'chain-history-ends',
    who: 'user',
    path: '/chains/:endless?history=open',
    prepare: inTurn(
      underWay,
      press('Stop'),
      there((page) => page.locator('[data-execution-id]').filter({ hasText: 'cancelled' })),
    ),
  },
  {
    name: 'chain-history-details',
    who: 'user',
    path: '/chains/:letter?history=open',
    prepare: inTurn(openedStep, seen('Saved as letter')),
  },
  {
    name: 'chain-history-shared',
    who: 'user',
    path: '/chains/:letter?history=open',
    network: ofAnother({ sight: 'texts', sharing: 'run' }),
    prepare: inTurn(runs, press('View Details'), seen('Shared by ines.')),
  },
  {
    name: 'chain-history-figures',
    who: 'user',
    path: '/chains/:letter?history=open',
    network: ofAnother({ sight: 'figures', usesPrivateValues: true }),
    prepare: inTurn(runs, press('View Details'), seen(/ines’s private values/)),
  },
  {
    name: 'chain-who-sees',
    who: 'user',
    path: '/chains/:letter',
    network: changes(/^\/api\/chains\/\d+$/, {
      owner: 'ines',
      sharedLevel: 'shared',
      runsVisibleTo: 'editors',
    }),
    prepare: seen(/can see your runs/),
  },
  {
    name: 'chain-fallback',
    who: 'user',
    path: '/chains/:letter?history=open',
    network: changes<RunDetails>(run, ({ steps, ...rest }) => ({
      ...rest,
      steps: steps.map((step) => ({
        ...step,
        fallback: { model: 'gemini', reason: 'Claude is not available at the moment (503).' },
      })),
    })),
    prepare: inTurn(openedStep, seen(/^Answered by /)),
  },
  {
    name: 'chain-history-empty',
    who: 'user',
    path: '/chains/:stepless?history=open',
    network: answers(history, []),
    prepare: seen('No execution history found'),
  },
  {
    name: 'chain-history-error',
    who: 'user',
    path: '/chains/:letter?history=open',
    network: fails(history),
    prepare: seen('Failed to load execution history. Please try refreshing.'),
  },
  {
    name: 'chain-history-details-error',
    who: 'user',
    path: '/chains/:letter?history=open',
    network: fails(run),
    prepare: inTurn(runs, press('View Details'), seen('Failed to load execution details')),
  },
  {
    name: 'chain-history-menu',
    who: 'user',
    path: '/chains/:letter?history=open',
    prepare: runs,
    opener: button(/^More: Execution/),
  },
  {
    name: 'chain-compare',
    who: 'user',
    path: '/chains/:letter?history=open',
    prepare: inTurn(
      runs,
      press(/^More: Execution/),
      (page) => page.getByRole('menuitem', { name: 'Compare with another run' }).click(),
      press(/^Compare with #/),
      there((page) => page.getByRole('dialog', { name: /^Compare #/ })),
      (page) =>
        page
          .getByRole('dialog')
          .getByRole('button', { name: /^Shorten it/ })
          .click(),
      there((page) => page.getByRole('region', { name: 'Output of letter' })),
    ),
  },
]
