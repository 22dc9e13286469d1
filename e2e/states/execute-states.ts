import type { Page } from 'playwright-core'
import { fallbackReply } from './execute-answers.ts'
import { fails, installation, never, refusesAsStale, streams } from './network.ts'
import type { State } from './state.ts'
import {
  button,
  card,
  fill,
  headerMenu,
  inTurn,
  pick,
  pickInHeader,
  press,
  type Step,
  seen,
  there,
} from './steps.ts'

const execute = press(/^Execute(?! with AI)/)
const answered = inTurn(execute, seen('Done'))

/** Adds a line to the copy of the template. */
async function editCopy(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Prompt' }).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('\nEnd with one thing to do today.')
  await page.getByLabel(/^Note on version/).fill('ends with a task')
}

/** Chooses that many runs of the history. */
function tickRuns(count: number) {
  return async (page: Page) => {
    const boxes = page.getByRole('checkbox', { name: /^Compare run/ })
    await boxes.first().waitFor()
    for (let index = 0; index < count; index += 1) await boxes.nth(index).check()
  }
}

/** Rates the first answer in view as good, with a note. */
async function rate(page: Page): Promise<void> {
  const up = page.getByRole('button', { name: 'Good answer' }).first()
  if ((await up.getAttribute('aria-pressed')) === 'false') await up.click()
  const note = page.getByLabel('Note on the answer').first()
  await note.fill('The best opening of the two, and it names the one thing to try first')
  await note.press('Enter')
}

/** Rates the newest run of the history, and shows those that are rated up. */
async function rateNewest(page: Page): Promise<void> {
  await page.locator('[data-execution-id] button[aria-expanded]').first().click()
  await rate(page)
  await button('More: history')(page).click()
  await page.getByRole('menuitemradio', { name: 'Rated up' }).click()
  await page.getByText(/^\d+ rated up$/).waitFor()
}

/** The words that differ are tinted. */
const tinted: Step = (page) => page.waitForFunction(() => (CSS.highlights.get('differs')?.size ?? 0) > 0)

/** Running a prompt, on its page and in its dialog. */
export const executeStates: readonly State[] = [
  { name: 'execute', who: 'user', path: '/execute/:own', prepare: seen('Edits here aren’t saved') },
  { name: 'execute-lent', who: 'user', path: '/execute/:lent', prepare: seen(/from ada, admin/) },
  {
    name: 'execute-loading',
    who: 'user',
    path: '/execute/:own',
    network: never(/^\/api\/prompts\/\d+$/),
    prepare: seen(/^Loading/),
  },
  { name: 'execute-missing', who: 'user', path: '/execute/999999', prepare: seen('Prompt Not Found') },
  {
    name: 'execute-error',
    who: 'user',
    path: '/execute/:own',
    network: fails(/^\/api\/prompts\/\d+$/),
    prepare: seen('Try again'),
  },
  {
    name: 'execute-inactive',
    who: 'user',
    path: '/execute/:inactive',
    prepare: seen(/This prompt is inactive/),
  },
  {
    name: 'execute-done',
    who: 'admin',
    path: '/execute/:prompt',
    prepare: inTurn(fill('customer', 'Grace, who sails on Mondays'), answered),
  },
  {
    name: 'execute-writing',
    who: 'user',
    path: '/execute/:practice?model=openai',
    prepare: inTurn(execute, seen('Writing')),
  },
  {
    name: 'execute-waiting',
    who: 'user',
    path: '/execute/:own',
    network: streams('/api/execute-prompt', [
      { event: 'start', data: { executionId: 1, price: null } },
      {
        event: 'wait',
        data: {
          waitsFor: {
            vendor: 'Anthropic',
            isOverload: false,
            until: new Date(Date.now() + 600_000).toISOString(),
          },
        },
      },
    ]),
    prepare: inTurn(execute, seen(/^Waiting for Anthropic/)),
  },
  {
    name: 'execute-fallback',
    who: 'user',
    path: '/execute/:own',
    network: streams('/api/execute-prompt', [
      { event: 'start', data: { executionId: 1, price: null } },
      { event: 'done', data: fallbackReply },
    ]),
    prepare: inTurn(execute, seen(/^Answered by/)),
  },
  {
    name: 'execute-stopped',
    who: 'user',
    path: '/execute/:practice?model=openai',
    prepare: inTurn(execute, seen(/The first thing to/), press('Stop'), seen('Stopped')),
  },
  {
    name: 'execute-failed',
    who: 'user',
    path: '/execute/:practice?model=gemini',
    prepare: inTurn(execute, seen('API Key Error')),
  },
  {
    name: 'execute-system-prompt',
    who: 'user',
    path: '/execute/:own',
    prepare: press('Advanced: system prompt'),
  },
  {
    name: 'execute-preview',
    who: 'user',
    path: '/execute/:fitting?sent=open',
    prepare: seen(/stays as written/),
  },
  {
    name: 'model-select',
    who: 'user',
    path: '/execute/:own',
    network: installation({
      models: ['claude', 'openai', 'gemini'].map((alias) => ({
        alias,
        label: alias,
        keyVariable: `${alias.toUpperCase()}_API_KEY`,
        configured: alias !== 'gemini',
        provider: 'anthropic',
        modelId: alias,
      })),
    }),
    opener: button(/^Model: /),
  },
  { name: 'execute-menu', who: 'user', path: '/execute/:own', only: 'desk', opener: headerMenu },
  {
    name: 'compare-with',
    who: 'user',
    path: '/execute/:own',
    opener: button('compare with…'),
  },
  {
    name: 'history-menu',
    who: 'user',
    path: '/execute/:own?history=open&tab=history',
    opener: button('More: history'),
  },
  {
    name: 'history-run-menu',
    who: 'user',
    path: '/execute/:own?history=open&tab=history',
    opener: button(/^More: run #/),
  },
  { name: 'answer-menu', who: 'user', path: '/execute/:own', only: 'phone', opener: headerMenu },
  {
    name: 'execute-history',
    who: 'user',
    path: '/execute/:own?history=open&tab=history',
    prepare: there((page) => page.locator('[data-execution-id]')),
  },
  {
    name: 'answer-preview',
    who: 'user',
    path: '/execute/:own?history=open&tab=history',
    prepare: async (page) => {
      const rows = page.locator('[data-execution-id]').filter({ hasText: 'Compare the offers.' })
      await rows.locator('button[aria-expanded]').first().click()
      await page.getByRole('figure', { name: 'AI response' }).getByRole('button', { name: 'Preview' }).click()
      await page.frameLocator('iframe').getByRole('cell', { name: 'North' }).waitFor()
    },
  },
  {
    name: 'history-entry',
    who: 'user',
    path: '/execute/:own?history=open&tab=history',
    prepare: async (page) => {
      const rows = page.locator('[data-execution-id]')
      for (const run of ['Review this diff.', 'Compare the offers.']) {
        await rows.filter({ hasText: run }).locator('button[aria-expanded]').first().click()
      }
      await page.getByRole('cell', { name: 'North' }).waitFor()
    },
  },
  {
    name: 'history-empty',
    who: 'user',
    path: '/execute/:unrun?history=open&tab=history',
    prepare: seen(/^No runs yet/),
  },
  {
    name: 'history-error',
    who: 'user',
    path: '/execute/:own?history=open&tab=history',
    network: fails(/^\/api\/prompts\/\d+\/executions$/),
    prepare: seen('Try again'),
  },
  {
    name: 'clear-history',
    who: 'user',
    path: '/execute/:own?history=open&tab=history',
    prepare: inTurn(
      pick('More: history', 'Clear history'),
      there((page) => page.getByRole('alertdialog')),
    ),
  },
  { name: 'execute-edited', who: 'user', path: '/execute/:own', prepare: editCopy },
  {
    name: 'execute-conflict',
    who: 'user',
    path: '/execute/:own',
    network: refusesAsStale,
    prepare: inTurn(
      editCopy,
      press(/^Save as version/),
      there((page) => page.getByRole('alert', { name: 'Conflicting changes' })),
    ),
  },
  {
    name: 'execute-missing-value',
    who: 'user',
    path: '/execute/:practice?model=openai&tab=history&history=open',
    prepare: seen(/without captain/),
  },
  {
    name: 'compare-runs',
    who: 'user',
    path: '/execute/:own?history=open&tab=history',
    prepare: inTurn(tickRuns(4), press('Compare 4 runs'), seen('compared against'), tinted),
  },
  {
    name: 'compare-chosen',
    who: 'user',
    path: '/execute/:own?with=openai,gemini&texts=copy,2',
    prepare: seen('3 of 3'),
  },
  {
    name: 'compare-live',
    who: 'user',
    path: '/execute/:practice?with=openai,gemini',
    prepare: inTurn(execute, seen(/The first thing to/), seen(/^1 done, 1 writing, 1 failed$/), tinted),
  },
  {
    name: 'compare-plain',
    who: 'user',
    path: '/execute/:practice?with=openai,gemini',
    prepare: inTurn(execute, seen(/^1 done, 1 writing, 1 failed$/), (page) =>
      page.getByRole('switch', { name: /^differs from/ }).click(),
    ),
  },
  {
    name: 'compare-versions',
    who: 'user',
    path: '/execute/:own?texts=copy,2,1',
    prepare: inTurn(execute, seen('3 done')),
  },
  {
    name: 'compare-long',
    who: 'user',
    path: '/execute/:practice?with=claude',
    prepare: inTurn(
      press('Additional context'),
      fill('Additional context', 'Answer at length.'),
      execute,
      seen('2 done'),
    ),
  },
  {
    name: 'compare-rated',
    who: 'user',
    path: '/execute/:practice?with=claude',
    prepare: inTurn(execute, seen('2 done'), rate),
  },
  {
    name: 'history-rated',
    who: 'user',
    path: '/execute/:practice?history=open&tab=history',
    prepare: rateNewest,
  },
  {
    name: 'compare-error',
    who: 'user',
    path: '/execute/:own?compare=999998,999999',
    prepare: seen('The runs could not be loaded'),
  },
  {
    name: 'use-in-chain',
    who: 'user',
    path: '/execute/:own',
    only: 'desk',
    prepare: inTurn(
      pickInHeader('Use in a chain'),
      there((page) => page.getByRole('dialog', { name: 'Use in a chain' })),
    ),
  },
  {
    name: 'execute-dialog',
    who: 'user',
    path: '/',
    opener: (page) => card('Name a boat')(page).getByRole('button', { name: 'Execute with AI' }),
  },
  {
    name: 'execute-dialog-done',
    who: 'admin',
    path: '/?execute=:prompt',
    prepare: answered,
  },
]
