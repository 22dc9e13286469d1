import { fails } from './network.ts'
import type { State } from './state.ts'
import { button, choose, fill, inTurn, press, type Step, seen, there } from './steps.ts'

const promptTags = inTurn(choose('Prompt tags'), seen('customer success'))
const menuItem = (name: string) => (page: Parameters<Step>[0]) => page.getByRole('menuitem', { name })
const dialog = (name: RegExp) => there((page) => page.getByRole('dialog', { name }))
const change = (name: string, action: string) =>
  inTurn(promptTags, press(`More: ${name}`), (page) => menuItem(action)(page).click())

/** The categories and tags as admins keep them in order. */
export const taxonomyStates: readonly State[] = [
  {
    name: 'admin-categories',
    who: 'admin',
    path: '/settings/organise',
    prepare: there((page) => page.getByRole('list', { name: 'Categories' })),
  },
  {
    name: 'admin-labels-error',
    who: 'admin',
    path: '/settings/organise',
    network: fails('/api/admin/labels/category'),
    prepare: seen('Try again'),
  },
  { name: 'admin-tags', who: 'admin', path: '/settings/organise', prepare: promptTags },
  {
    name: 'label-menu',
    who: 'admin',
    path: '/settings/organise',
    prepare: promptTags,
    opener: button('More: board'),
  },
  {
    name: 'rename-label',
    who: 'admin',
    path: '/settings/organise',
    prepare: inTurn(change('board', 'Rename'), dialog(/^Rename tag/)),
  },
  {
    name: 'rename-label-error',
    who: 'admin',
    path: '/settings/organise',
    prepare: inTurn(change('board', 'Rename'), fill('Name', 'bugs'), press(/^Rename/), seen('Tag exists')),
  },
  {
    name: 'merge-label',
    who: 'admin',
    path: '/settings/organise',
    prepare: inTurn(change('board', 'Merge into another'), dialog(/^Merge/)),
  },
  {
    name: 'merge-label-choices',
    who: 'admin',
    path: '/settings/organise',
    prepare: inTurn(change('board', 'Merge into another'), dialog(/^Merge/)),
    opener: (page) => page.getByLabel('Into', { exact: true }),
  },
  {
    name: 'delete-label',
    who: 'admin',
    path: '/settings/organise',
    prepare: inTurn(
      change('board', 'Delete'),
      there((page) => page.getByRole('alertdialog')),
    ),
  },
]
