import type { Page } from 'playwright-core'
import {
  cellAnswer,
  earlierAnswer,
  estimateAnswer,
  evaluationAnswer,
  fourAnswer,
  labelsAnswer,
  longAnswer,
  runningAnswer,
  stoppedAnswer,
  suitesAnswer,
  versionsAnswer,
} from './evaluation-answers.ts'
import { answers, fails, never } from './network.ts'
import type { State } from './state.ts'
import { inTurn, seen, there } from './steps.ts'

const path = '/evaluations/14'
const ONE = '/api/evaluations/14'

/** One evaluation, and the earlier ones. */
const shows = (evaluation: object) => async (page: Page) => {
  await answers('/api/evaluations', earlierAnswer)(page)
  await answers(ONE, evaluation)(page)
}
const evaluable = async (page: Page) => {
  await shows(evaluationAnswer())(page)
  await answers('/api/prompts/1/test-suites', suitesAnswer)(page)
  await answers('/api/prompts/1/labels', labelsAnswer)(page)
  await answers('/api/prompts/1/versions', versionsAnswer)(page)
  await answers('/api/evaluations/estimate', estimateAnswer)(page)
}
const drawn = seen('Engineers, terse')
const runButton = (page: Page) => page.getByRole('button', { name: 'Run evaluation' })

/** Cases against targets, and what starts an evaluation. */
export const evaluationStates: readonly State[] = [
  { name: 'evaluation', who: 'user', path, network: shows(evaluationAnswer()), prepare: drawn },
  {
    name: 'evaluation-regressions',
    who: 'user',
    path: `${path}?only=regressions&sort=difference`,
    network: shows(evaluationAnswer()),
    prepare: drawn,
  },
  {
    name: 'evaluation-order',
    who: 'user',
    path,
    network: shows(evaluationAnswer()),
    prepare: drawn,
    opener: (page) => page.getByRole('button', { name: /^Order: / }),
  },
  {
    name: 'evaluation-passed',
    who: 'user',
    path,
    network: shows(
      evaluationAnswer({
        cells: evaluationAnswer().cells.map((cell) => ({
          ...cell,
          status: 'passed',
          reason: null,
          failing: 0,
        })),
      }),
    ),
    prepare: drawn,
  },
  { name: 'evaluation-running', who: 'user', path, network: shows(runningAnswer()), prepare: drawn },
  { name: 'evaluation-stopped', who: 'user', path, network: shows(stoppedAnswer()), prepare: drawn },
  {
    name: 'evaluation-stale',
    who: 'user',
    path,
    network: shows(evaluationAnswer({ isCurrent: false })),
    prepare: drawn,
  },
  { name: 'evaluation-four', who: 'user', path, network: shows(fourAnswer()), prepare: drawn },
  {
    name: 'evaluation-long',
    who: 'user',
    path,
    network: shows(longAnswer()),
    prepare: seen('Evaluation #14'),
  },
  {
    name: 'evaluation-nothing-matches',
    who: 'user',
    path: `${path}?q=nothing%20of%20the%20kind`,
    network: shows(evaluationAnswer()),
    prepare: seen('No test matches'),
  },
  {
    name: 'evaluation-cell',
    who: 'user',
    path,
    network: async (page) => {
      await shows(evaluationAnswer())(page)
      await answers(`${ONE}/cells/3/1`, cellAnswer)(page)
    },
    prepare: drawn,
    opener: (page) => page.getByRole('button', { name: /^German audience, v7 · Claude/ }),
  },
  {
    name: 'evaluation-earlier',
    who: 'user',
    path,
    only: 'desk',
    network: shows(evaluationAnswer()),
    prepare: drawn,
    opener: (page) => page.getByRole('button', { name: /^Earlier/ }),
  },
  { name: 'evaluation-run', who: 'user', path, network: evaluable, prepare: drawn, opener: runButton },
  {
    name: 'evaluation-run-no-suite',
    who: 'user',
    path,
    network: async (page) => {
      await evaluable(page)
      await answers('/api/prompts/1/test-suites', [])(page)
    },
    prepare: drawn,
    opener: runButton,
  },
  {
    name: 'evaluation-loading',
    who: 'user',
    path,
    network: never(ONE),
    prepare: there((page) => page.getByRole('status').filter({ hasText: 'Loading the evaluation' })),
  },
  {
    name: 'evaluation-error',
    who: 'user',
    path,
    network: fails(ONE),
    prepare: inTurn(seen('The evaluation could not be loaded')),
  },
]
