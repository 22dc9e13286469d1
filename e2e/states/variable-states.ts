import { answers, fails, never } from './network.ts'
import { sourceStates } from './source-states.ts'
import type { State } from './state.ts'
import { button, compactly, fill, inTurn, press, seen, submitEmpty } from './steps.ts'

/** Variables. */
export const variableStates: readonly State[] = [
  { name: 'variables', who: 'user', path: '/variables', prepare: seen('voice') },
  {
    name: 'variables-compact',
    who: 'user',
    path: '/variables',
    only: 'desk',
    prepare: inTurn(compactly, seen('voice')),
  },
  { name: 'variables-guest', who: 'guest', path: '/variables', prepare: seen('Log in to create variables.') },
  {
    name: 'variables-loading',
    who: 'user',
    path: '/variables',
    network: never('/api/variables'),
    prepare: seen(/^Loading/),
  },
  {
    name: 'variables-error',
    who: 'user',
    path: '/variables',
    network: fails('/api/variables'),
    prepare: seen('Try again'),
  },
  {
    name: 'variables-empty',
    who: 'user',
    path: '/variables',
    network: answers('/api/variables', []),
    prepare: seen('No variables yet'),
  },
  {
    name: 'variables-empty-guest',
    who: 'guest',
    path: '/variables',
    network: answers('/api/variables', []),
    prepare: seen('Log in to create one'),
  },
  {
    name: 'variables-nothing-found',
    who: 'user',
    path: '/variables?search=zeppelin',
    prepare: seen('No variables found'),
  },
  {
    name: 'variable-menu',
    who: 'user',
    path: '/variables',
    only: 'phone',
    opener: button('More: voice'),
  },
  { name: 'create-variable', who: 'user', path: '/variables', opener: button('New variable') },
  {
    name: 'variable-values',
    who: 'user',
    path: '/variables?variable=new',
    prepare: inTurn(
      fill('Name', 'mood'),
      press('Limit to a list of values'),
      fill('Allowed values', 'warm\nneutral\nformal'),
      submitEmpty('Create Variable'),
    ),
  },
  {
    name: 'create-variable-errors',
    who: 'user',
    path: '/variables?variable=new',
    prepare: submitEmpty('Create Variable'),
  },
  { name: 'edit-variable', who: 'user', path: '/variables', opener: button('voice') },
  {
    name: 'rename-variable',
    who: 'user',
    path: '/variables?variable=:text',
    prepare: inTurn(fill('Name', 'house_voice'), seen(/is used by/)),
  },
  {
    name: 'preview-variable',
    who: 'user',
    path: '/variables?preview=:file',
    prepare: seen('Short words before long ones.'),
  },
  {
    name: 'preview-broken',
    who: 'user',
    path: '/variables?preview=:api',
    network: answers(/^\/api\/variables\/\d+\/preview$/, {
      preview: 'Error loading content: The address answered with status 500',
      error: 'The address answered with status 500',
    }),
    prepare: seen(/^Error loading content/),
  },
  {
    name: 'preview-failed',
    who: 'user',
    path: '/variables?preview=:api',
    network: fails(/^\/api\/variables\/\d+\/preview$/),
    prepare: seen(/^Error loading content/),
  },
  ...sourceStates,
]
