import type { Page } from 'playwright-core'
import { answers, fails, never } from './network.ts'
import type { State } from './state.ts'
import { inTurn, seen, there } from './steps.ts'
import { emptyReport, oneDayReport, runsBehind, usageReport } from './usage-answers.ts'

const path = '/usage'
const everyone = '/usage?scope=everyone'
const drawn = seen('Runs a day')
const runs = (page: Page) => page.getByRole('link', { name: /^Runs a day, by how they ended\. / })

/** The outcome and cost of runs, and the runs behind a mark. */
export const usageStates: readonly State[] = [
  {
    name: 'usage',
    who: 'admin',
    path: everyone,
    network: answers('/api/usage', usageReport(30)),
    prepare: drawn,
  },
  {
    name: 'usage-crosshair',
    who: 'admin',
    path: everyone,
    network: answers('/api/usage', usageReport(30)),
    prepare: inTurn(
      drawn,
      (page) => runs(page).focus(),
      (page) => page.keyboard.press('ArrowLeft'),
      there((page) => page.getByRole('link', { name: /^Runs a day, by how they ended\. Sat, Nov 21: / })),
    ),
  },
  {
    name: 'usage-90-days',
    who: 'admin',
    path: `${everyone}&days=90`,
    network: answers('/api/usage', usageReport(90)),
    prepare: drawn,
  },
  {
    name: 'usage-table',
    who: 'user',
    path,
    network: answers('/api/usage', usageReport(30)),
    prepare: inTurn(
      drawn,
      (page) => page.getByRole('button', { name: 'Runs a day as table' }).click(),
      (page) => page.getByRole('button', { name: 'Cost by model as table' }).click(),
      (page) => page.getByRole('button', { name: 'Tokens a day as table' }).click(),
      there((page) => page.getByRole('columnheader', { name: 'Stopped' })),
    ),
  },
  {
    name: 'usage-one-day',
    who: 'user',
    path,
    network: answers('/api/usage', oneDayReport()),
    prepare: drawn,
  },
  {
    name: 'usage-empty',
    who: 'user',
    path,
    network: answers('/api/usage', emptyReport()),
    prepare: seen('No runs in this period'),
  },
  {
    name: 'usage-loading',
    who: 'user',
    path,
    network: never('/api/usage'),
    prepare: there((page) => page.getByRole('status').filter({ hasText: 'Loading the usage' })),
  },
  {
    name: 'usage-error',
    who: 'user',
    path,
    network: fails('/api/usage'),
    prepare: seen('Usage could not be loaded'),
  },
  {
    name: 'usage-runs',
    who: 'admin',
    path: '/usage/runs?scope=everyone&date=2026-11-18&outcome=failed',
    network: answers('/api/usage/runs', runsBehind),
    prepare: there((page) => page.getByRole('link', { name: 'Support answer' })),
  },
  {
    name: 'usage-runs-empty',
    who: 'user',
    path: '/usage/runs?reason=model_quota',
    network: answers('/api/usage/runs', { runs: [], next: null }),
    prepare: seen('No runs to show'),
  },
  {
    name: 'usage-runs-error',
    who: 'user',
    path: '/usage/runs',
    network: fails('/api/usage/runs'),
    prepare: seen('The runs could not be loaded'),
  },
]
