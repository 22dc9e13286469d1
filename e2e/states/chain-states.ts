import { answers, fails, never } from './network.ts'
import type { State } from './state.ts'
import {
  button,
  choose,
  compactly,
  fill,
  inTurn,
  press,
  pressInHeader,
  seen,
  submitEmpty,
  there,
} from './steps.ts'

const secret = {
  id: 99,
  name: 'Hiring loop',
  description: '',
  sharedLevel: 'private',
  stopsWithoutValue: 'unwatched',
  stopsWhenCut: 'unwatched',
  runsVisibleTo: 'editors',
  tags: [],
  owner: 'linus',
  revision: 1,
  createdAt: '2026-11-01T10:00:00.000Z',
  updatedAt: '2026-11-02T10:00:00.000Z',
  canView: false,
  canEdit: false,
  canDelete: true,
  canExecute: false,
  steps: [],
}
const chainShown = seen('Drag steps to reorder')
/** Chains: their list, one of them, its steps and dialogs. */
export const chainStates: readonly State[] = [
  { name: 'chains', who: 'user', path: '/chains', prepare: seen('Monday digest') },
  {
    name: 'chains-compact',
    who: 'user',
    path: '/chains',
    only: 'desk',
    prepare: inTurn(compactly, seen('Monday digest')),
  },
  {
    name: 'chains-selected',
    who: 'user',
    path: '/chains',
    prepare: inTurn(
      seen('Monday digest'),
      press('More: Monday digest'),
      (page) => page.getByRole('menuitem', { name: 'Select' }).click(),
      press('More: Welcome letter'),
      (page) => page.getByRole('menuitem', { name: 'Select' }).click(),
      there((page) => page.getByRole('toolbar', { name: 'Selected chains' }).getByText('2 selected')),
    ),
  },
  {
    name: 'chains-menu',
    who: 'user',
    path: '/chains',
    prepare: seen('Monday digest'),
    opener: button('More: Monday digest'),
  },
  {
    name: 'chains-visibility',
    who: 'user',
    path: '/chains',
    prepare: seen('Monday digest'),
    opener: button('Visibility: Any visibility'),
  },
  { name: 'chains-guest', who: 'guest', path: '/chains', prepare: seen(/^3 step\(s\)/) },
  {
    name: 'chains-no-access',
    who: 'admin',
    path: '/chains',
    network: answers('/api/chains', [secret]),
    prepare: seen('Hiring loop (No access)'),
  },
  {
    name: 'chains-loading',
    who: 'user',
    path: '/chains',
    network: never('/api/chains'),
    prepare: there((page) => page.getByRole('status').filter({ hasText: 'Loading chains' })),
  },
  {
    name: 'chains-error',
    who: 'user',
    path: '/chains',
    network: fails('/api/chains'),
    prepare: seen('Failed to load chains. Please try again.'),
  },
  {
    name: 'chains-empty',
    who: 'user',
    path: '/chains',
    network: answers('/api/chains', []),
    prepare: seen('Create Your First Chain'),
  },
  {
    name: 'chains-empty-guest',
    who: 'guest',
    path: '/chains',
    network: answers('/api/chains', []),
    prepare: seen('Log in to create one'),
  },
  {
    name: 'chains-nothing-found',
    who: 'user',
    path: '/chains?search=zeppelin',
    prepare: seen('No chains found.'),
  },
  { name: 'create-chain', who: 'user', path: '/chains', opener: button('Create New Chain') },
  {
    name: 'create-chain-errors',
    who: 'user',
    path: '/chains?chain=new',
    prepare: submitEmpty(/^Create Chain/),
  },
  { name: 'chain', who: 'user', path: '/chains/:digest', prepare: chainShown },
  { name: 'chain-viewer', who: 'guest', path: '/chains/:troubled', prepare: seen('by grace') },
  { name: 'chain-warnings', who: 'user', path: '/chains/:troubled', prepare: chainShown },
  { name: 'chain-without-steps', who: 'user', path: '/chains/:stepless', prepare: seen('No steps yet') },
  {
    name: 'chain-loading',
    who: 'user',
    path: '/chains/:digest',
    network: never(/^\/api\/chains\/\d+$/),
    prepare: seen('Loading chain details...'),
  },
  {
    name: 'chain-error',
    who: 'user',
    path: '/chains/:digest',
    network: fails(/^\/api\/chains\/\d+$/),
    prepare: seen('Try again'),
  },
  { name: 'chain-missing', who: 'user', path: '/chains/999999', prepare: seen('Chain not found') },
  {
    name: 'edit-chain',
    who: 'user',
    path: '/chains/:digest',
    prepare: inTurn(
      chainShown,
      pressInHeader('Edit chain'),
      seen('Viewers can see and run it. Editors can also change it.'),
    ),
  },
  {
    name: 'edit-chain-find-people',
    who: 'user',
    path: '/chains/:stepless',
    prepare: inTurn(
      seen('No steps yet'),
      pressInHeader('Edit chain'),
      choose('Shared: specific users'),
      async (page) => {
        await page.getByPlaceholder('Username').fill('ad')
        await page.getByRole('option', { name: 'ada' }).waitFor()
      },
    ),
  },
  {
    name: 'delete-chain',
    who: 'user',
    path: '/chains/:digest',
    prepare: inTurn(
      chainShown,
      pressInHeader('Delete chain'),
      there((page) => page.getByRole('alertdialog')),
    ),
  },
  {
    name: 'chain-menu',
    who: 'user',
    path: '/chains/:digest',
    prepare: chainShown,
    opener: button('More about this chain'),
  },
  {
    name: 'step-menu',
    who: 'user',
    path: '/chains/:digest',
    prepare: chainShown,
    opener: button('More: Count and quote'),
  },
  {
    name: 'add-step',
    who: 'user',
    path: '/chains/:digest',
    prepare: chainShown,
    opener: button(/^Add Step/),
  },
  {
    name: 'add-step-errors',
    who: 'user',
    path: '/chains/:stepless?step=new',
    prepare: submitEmpty(/^Add Step/),
  },
  {
    name: 'add-step-warnings',
    who: 'user',
    path: '/chains/:digest?step=new',
    prepare: inTurn(
      fill('Output variable name', 'summary'),
      async (page) => {
        await page.getByRole('textbox', { name: 'Content' }).click()
        await page.keyboard.type('Sum up {{nobody}} and {{dig')
        await page.getByRole('option', { name: /digest/ }).waitFor()
      },
      there((page) => page.getByRole('status', { name: 'Warnings' })),
    ),
  },
  {
    name: 'edit-step',
    who: 'user',
    path: '/chains/:digest',
    prepare: chainShown,
    opener: button('Weekly customer digest'),
  },
  { name: 'chain-linked', who: 'user', path: '/chains/:linked', prepare: seen('version 2 (production)') },
  {
    name: 'edit-step-label',
    who: 'user',
    path: '/chains/:linked',
    prepare: inTurn(
      seen('version 2 (production)'),
      (page) => page.getByRole('button', { name: 'Launch mail', exact: true }).nth(1).click(),
      seen('production has been moved since this step was saved: a run uses version 2 now.'),
    ),
  },
  {
    name: 'edit-step-versions',
    who: 'user',
    path: '/chains/:linked',
    prepare: inTurn(
      seen('version 2 (production)'),
      (page) => page.getByRole('button', { name: 'Launch mail', exact: true }).first().click(),
      seen('Current text · version 3'),
    ),
    opener: (page) => page.getByRole('combobox', { name: 'Runs' }),
  },
  {
    name: 'choose-prompt',
    who: 'user',
    path: '/chains/:digest?step=new',
    prepare: inTurn(press('Prompt'), seen('its own text')),
  },
  {
    name: 'view-step',
    who: 'guest',
    path: '/chains/:troubled',
    prepare: seen('by grace'),
    opener: button(/^Weigh each/),
  },
]
