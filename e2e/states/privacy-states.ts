import type { Evaluation, RunDetails, RunShare } from '../../packages/contracts/src/index.ts'
import { earlierAnswer, evaluationAnswer } from './evaluation-answers.ts'
import { answers, changes, together } from './network.ts'
import type { State } from './state.ts'
import { card, chainShown, inTurn, pressInHeader, type Step, seen, there } from './steps.ts'

const prompt = '/execute/:own?history=open&tab=history'
const promptRuns = /^\/api\/prompts\/\d+\/executions$/
const chain = '/chains/:digest?history=open'
const chainRuns = /^\/api\/chains\/\d+\/executions$/

/** What the person shares of all their runs, which private names that covers, and which exist. */
const share = (said: RunShare) => answers(/\/run-share$/, said)
const shared = share({ isShared: true, names: ['client'], privateNames: ['client', 'rates', 'signature'] })
const unshared = share({ isShared: false, names: [], privateNames: ['client', 'rates'] })

type Privacy = Partial<Pick<RunDetails, 'sight' | 'sharing' | 'usesPrivateValues' | 'executedBy'>>
const theirs = (privacy: Privacy) => changes(promptRuns, { executedBy: 'ines', ...privacy })

const openRun: Step = (page) =>
  page
    .locator('[data-execution-id]')
    .filter({ hasText: 'Compare the offers.' })
    .locator('button[aria-expanded]')
    .first()
    .click()

const openSharing: Step = async (page) => {
  await card('Name a boat')(page).getByRole('button', { name: /^More/ }).click()
  await page.getByRole('menuitem', { name: 'Share' }).click()
}

const covered = inTurn(
  there((page) => page.getByRole('switch', { name: 'Share my runs', checked: true })),
  seen('Add to what is shared'),
)

/** Another person's evaluation, with every second cell of the later targets private. */
function withPrivateCells(): Evaluation {
  const { cells, ...rest } = evaluationAnswer()
  return {
    ...rest,
    ...{ startedBy: 'tomasz', isMine: false, canDelete: false },
    cells: cells.map((cell) => {
      if (cell.casePosition % 2 !== 1 && cell.status !== 'failed') return cell
      return {
        ...cell,
        ...{ status: 'private', reason: null, failing: 0, score: null, executionId: null },
        ...{ durationMs: cell.durationMs, costUsd: cell.costUsd },
      }
    }),
  }
}
const [newest, ...older] = earlierAnswer
const privateEvaluation = together(
  answers('/api/evaluations', [
    newest,
    ...older.map((each, index) => ({ ...each, private: index === 0 ? each.cells : 4 })),
  ]),
  answers('/api/evaluations/14', withPrivateCells()),
  answers('/api/evaluations/14/cells/3/1', {
    ...withPrivateCells().cells[10],
    ...{ caseName: 'German audience', results: [] },
  }),
)
const drawn = seen('Engineers, terse')

/** What a runner shares of their runs, and what others see of runs that used private values (D59). */
export const privacyStates: readonly State[] = [
  {
    name: 'share-prompt-runs',
    who: 'user',
    path: '/',
    network: shared,
    prepare: inTurn(openSharing, covered),
  },
  {
    name: 'share-prompt-runs-offered',
    who: 'user',
    path: '/',
    network: unshared,
    prepare: inTurn(openSharing, seen(/with the values of your private variables client, rates/)),
  },
  {
    name: 'edit-chain-share-runs',
    who: 'user',
    path: '/chains/:digest',
    network: shared,
    prepare: inTurn(chainShown, pressInHeader('Edit chain'), covered),
  },
  { name: 'chain-history-share-runs', who: 'user', path: chain, network: shared, prepare: covered },
  {
    name: 'chain-history-offers-sharing',
    who: 'user',
    path: chain,
    network: unshared,
    prepare: seen(/with the values of your private variables client, rates/),
  },
  {
    name: 'chain-history-shared-own',
    who: 'user',
    path: '/chains/:letter?history=open',
    network: changes(chainRuns, { sharing: 'run' }),
    prepare: seen(/^Shared with everyone who sees the chain/),
    opener: (page) => page.getByRole('button', { name: /^More: Execution/ }).first(),
  },
  {
    name: 'history-entry-shared-own',
    who: 'user',
    path: prompt,
    network: changes(promptRuns, { sharing: 'run' }),
    prepare: inTurn(openRun, seen('Stop sharing this run')),
  },
  {
    name: 'history-entry-shared',
    who: 'user',
    path: prompt,
    network: theirs({ sight: 'texts', sharing: 'run' }),
    prepare: inTurn(openRun, seen('Shared by ines.')),
  },
  {
    name: 'history-entry-figures',
    who: 'user',
    path: prompt,
    network: theirs({ sight: 'figures', usesPrivateValues: true }),
    prepare: inTurn(openRun, seen(/ines’s private values/)),
  },
  {
    name: 'evaluation-private',
    who: 'user',
    path: '/evaluations/14',
    network: privateEvaluation,
    prepare: drawn,
  },
  {
    name: 'evaluation-cell-private',
    who: 'user',
    path: '/evaluations/14',
    network: privateEvaluation,
    prepare: drawn,
    opener: (page) => page.getByRole('button', { name: /^German audience, v7 · Claude/ }),
  },
  {
    name: 'evaluation-earlier-private',
    who: 'user',
    path: '/evaluations/14',
    only: 'desk',
    network: privateEvaluation,
    prepare: drawn,
    opener: (page) => page.getByRole('button', { name: /^Earlier/ }),
  },
]
