import { groups, onCallDetails, supportLeadsDetails } from './group-answers.ts'
import { answers, fails, never, together } from './network.ts'
import type { State } from './state.ts'
import { button, inTurn, press, seen, there } from './steps.ts'

const list = answers('/api/groups', groups)
const byAdmins = answers('/api/groups/making', { madeBy: 'admins', canMake: true })
const notMade = answers('/api/groups/making', { madeBy: 'admins', canMake: false })
const filled = together(list, byAdmins, answers('/api/groups/2', supportLeadsDetails))
const opened = { who: 'admin', path: '/settings/groups?group=2', network: filled } as const
const shown = seen('and 3 that you can’t see')

/** Groups in the settings, and a record that is shared with some. */
export const groupStates: readonly State[] = [
  {
    name: 'groups',
    who: 'admin',
    path: '/settings/groups',
    network: filled,
    prepare: seen('Support leads'),
  },
  { name: 'group', ...opened, prepare: shown },
  { name: 'group-member-menu', ...opened, prepare: shown, opener: button('More: ines') },
  {
    name: 'group-add-member',
    ...opened,
    prepare: inTurn(
      shown,
      press('Add'),
      there((page) => page.getByPlaceholder('Username')),
    ),
  },
  {
    name: 'group-rename',
    ...opened,
    prepare: inTurn(
      shown,
      press('Rename'),
      there((page) => page.getByRole('dialog', { name: 'Rename group' })),
    ),
  },
  {
    name: 'group-delete',
    ...opened,
    prepare: inTurn(
      shown,
      press('Delete'),
      there((page) => page.getByRole('alertdialog')),
    ),
  },
  {
    name: 'group-new',
    who: 'admin',
    path: '/settings/groups?group=new',
    network: filled,
    prepare: there((page) => page.getByRole('dialog', { name: 'New group' })),
  },
  {
    name: 'groups-of-member',
    who: 'user',
    path: '/settings/groups?group=5',
    network: together(
      answers('/api/groups', [groups[0], groups.at(-1)]),
      notMade,
      answers('/api/groups/5', onCallDetails),
    ),
    prepare: seen(/^Nothing yet/),
  },
  {
    name: 'groups-error',
    who: 'user',
    path: '/settings/groups',
    network: together(fails('/api/groups'), notMade),
    prepare: seen('Try again'),
  },
  {
    name: 'groups-loading',
    who: 'user',
    path: '/settings/groups',
    network: together(never('/api/groups'), notMade),
    prepare: there((page) => page.getByRole('heading', { name: 'Groups', level: 1 })),
  },
]
