import type { State } from './state.ts'
import { seen, there } from './steps.ts'

/** The guide: a page, what a search finds, and what is not there. */
export const guideStates: readonly State[] = [
  { name: 'guide', who: 'guest', path: '/docs', prepare: seen('Look after it') },
  {
    name: 'guide-page',
    who: 'user',
    path: '/docs/prompts-and-variables',
    prepare: there((page) => page.getByRole('heading', { name: 'Use a variable' })),
  },
  {
    name: 'guide-code',
    who: 'user',
    path: '/docs/call-it-from-code#openai-sdk',
    prepare: there((page) => page.getByRole('heading', { name: 'OpenAI SDK' }).first()),
  },
  {
    name: 'guide-settings',
    who: 'admin',
    path: '/docs/settings#mail',
    prepare: there((page) => page.getByRole('heading', { name: 'Mail', exact: true })),
  },
  { name: 'guide-search', who: 'guest', path: '/docs?search=budget', prepare: seen('The budget is spent') },
  {
    name: 'guide-search-empty',
    who: 'guest',
    path: '/docs?search=submarine',
    prepare: seen('Nothing found'),
  },
  { name: 'guide-missing', who: 'guest', path: '/docs/submarines', prepare: seen('No such page') },
]
