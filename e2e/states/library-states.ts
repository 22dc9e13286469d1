import type { Page } from 'playwright-core'
import { groups } from './group-answers.ts'
import { answers, fails, installation, never, together } from './network.ts'
import type { State } from './state.ts'
import { button, card, cardsShown, compactly, inTurn, press, seen, sidebarShown, there } from './steps.ts'

const moreOf = (title: string) => (page: Page) => card(title)(page).getByRole('button', { name: /^More/ })

/** From a card's menu. */
const choose = (item: string) => async (page: Page) => {
  await moreOf('Name a boat')(page).click()
  await page.getByRole('menuitem', { name: item }).click()
}

const SKILL = {
  description:
    'Names things after what they do on the water. Use it whenever a boat, a pier or a regatta needs a name.',
  parts: [
    {
      path: 'glossary.md',
      promptId: 21,
      title: 'Words that are said on every boat, and what they mean',
      variable: null,
    },
    {
      path: 'references/how-boats-are-named-in-the-north.md',
      promptId: null,
      title: null,
      variable: 'house_style',
    },
  ],
  updatedAt: '2026-11-21T09:00:00.000Z',
}
const fetched = {
  kind: 'skill',
  promptId: 1,
  slug: 'name-a-boat',
  title: 'Name a boat',
  tokenId: null,
  tokenName: null,
}
const FETCHES = [
  {
    ...fetched,
    ...{ id: 2, version: 7, label: 'production', client: 'claude-code 2.1.330', person: 'grace', count: 14 },
    ...{ firstAt: '2026-11-20T09:00:00.000Z', lastAt: '2026-11-21T09:00:00.000Z' },
  },
  {
    ...fetched,
    ...{
      id: 1,
      version: 6,
      label: null,
      client: '',
      person: 'a-name-that-is-as-long-as-names-get',
      count: 1,
    },
    ...{ firstAt: '2026-11-19T09:00:00.000Z', lastAt: '2026-11-19T09:00:00.000Z' },
  },
]

const VIEWS = [
  { id: 1, name: 'Boats', page: 'prompts', query: 'search=boat&sort=title' },
  { id: 2, name: 'מכתבים ללקוחות', page: 'prompts', query: 'tags=6' },
  { id: 3, name: 'W'.repeat(50), page: 'prompts', query: 'ownership=mine' },
]

/** By keys alone. */
const threeSelected = inTurn(
  cardsShown,
  (page) => page.getByRole('article').first().getByRole('link').first().focus(),
  (page) => page.keyboard.press('x'),
  there((page) => page.getByRole('toolbar', { name: /^Selected/ })),
  (page) => page.keyboard.press('Shift+ArrowDown'),
  seen(/^[2-9] selected$/),
)

const inBar = (name: string) => (page: Page) =>
  page.getByRole('toolbar', { name: /^Selected/ }).getByRole('button', { name })

/** The library and what opens from it. */
export const libraryStates: readonly State[] = [
  { name: 'library', who: 'user', path: '/', prepare: cardsShown },
  { name: 'library-guest', who: 'guest', path: '/', prepare: cardsShown },
  { name: 'library-admin', who: 'admin', path: '/', prepare: cardsShown },
  {
    name: 'library-sandbox',
    who: 'admin',
    path: '/',
    network: installation({ sandbox: true }),
    prepare: inTurn(cardsShown, seen(/No model key is set/)),
  },
  {
    name: 'library-read-only',
    who: 'user',
    path: '/',
    network: installation({ readOnly: 'moving' }),
    prepare: inTurn(cardsShown, seen(/is being moved to another database/)),
  },
  {
    name: 'model-key',
    who: 'admin',
    path: '/',
    network: installation({ sandbox: true }),
    prepare: inTurn(cardsShown, press('Add a key'), seen(/Paste a key/)),
  },
  { name: 'library-compact', who: 'user', path: '/', only: 'desk', prepare: inTurn(compactly, cardsShown) },
  {
    name: 'library-list-compact',
    who: 'user',
    path: '/?view=list',
    only: 'desk',
    prepare: inTurn(compactly, cardsShown),
  },
  { name: 'library-list', who: 'user', path: '/?view=list', prepare: cardsShown },
  { name: 'library-filtered', who: 'user', path: '/?category=1&tags=3,4,5,6', prepare: seen(/^Showing/) },
  {
    name: 'library-loading',
    who: 'user',
    path: '/',
    network: never('/api/prompts'),
    prepare: seen('Loading prompts'),
  },
  {
    name: 'library-list-loading',
    who: 'guest',
    path: '/?view=list',
    network: never(/^\/api\/(prompts|categories|tags|user)$/),
    prepare: seen(/^Loading/),
  },
  {
    name: 'library-error',
    who: 'user',
    path: '/',
    network: fails('/api/prompts'),
    prepare: seen('Try again'),
  },
  {
    name: 'library-sidebar-error',
    who: 'user',
    path: '/',
    network: fails(/^\/api\/(categories|tags)$/),
    prepare: cardsShown,
  },
  {
    name: 'library-empty',
    who: 'user',
    path: '/',
    network: answers('/api/prompts', []),
    prepare: seen('Start with something that runs'),
  },
  {
    name: 'library-nothing-found',
    who: 'user',
    path: '/?search=zeppelin',
    prepare: seen('No prompts found'),
  },
  {
    name: 'library-copied',
    who: 'user',
    path: '/',
    only: 'desk',
    prepare: async (page) => {
      await card('Name a boat')(page).hover()
      await card('Name a boat')(page).getByRole('button', { name: 'Copy' }).click()
      await page.getByRole('button', { name: 'Copied!' }).waitFor()
    },
  },
  {
    name: 'library-guest-empty',
    who: 'guest',
    path: '/',
    network: answers('/api/prompts', []),
    prepare: seen('Log in to see your prompts'),
  },
  { name: 'category-menu', who: 'user', path: '/', prepare: cardsShown, opener: button(/^Category: /) },
  { name: 'tags-menu', who: 'user', path: '/?tags=3', prepare: cardsShown, opener: button('Tags') },
  {
    name: 'views-menu',
    who: 'user',
    path: '/?search=boat&sort=title',
    network: answers('/api/views', VIEWS),
    prepare: seen(/^Showing/),
    opener: button('Saved views: Boats'),
  },
  {
    name: 'views-save',
    who: 'user',
    path: '/?search=boat',
    network: answers('/api/views', VIEWS),
    prepare: seen(/^Showing/),
    opener: button('Saved views'),
  },
  {
    name: 'views-none',
    who: 'user',
    path: '/',
    network: answers('/api/views', []),
    prepare: cardsShown,
    opener: button('Saved views'),
  },
  { name: 'library-selected', who: 'user', path: '/', prepare: threeSelected },
  { name: 'library-list-selected', who: 'user', path: '/?view=list', prepare: threeSelected },
  { name: 'selection-tags', who: 'user', path: '/', prepare: threeSelected, opener: inBar('Tags') },
  { name: 'selection-move', who: 'user', path: '/', prepare: threeSelected, opener: inBar('Move') },
  { name: 'selection-delete', who: 'user', path: '/', prepare: threeSelected, opener: inBar('Delete') },
  { name: 'sort-menu', who: 'user', path: '/', prepare: cardsShown, opener: button(/^Sort by/) },
  {
    name: 'card-menu',
    who: 'user',
    path: '/',
    opener: moreOf('Name a boat'),
  },
  {
    name: 'library-shared-with-nobody',
    who: 'user',
    path: '/?ownership=shared',
    prepare: seen('Nothing is shared with you'),
  },
  { name: 'drawer', who: 'admin', path: '/', only: 'phone', prepare: cardsShown, opener: button('Menu') },
  { name: 'search', who: 'user', path: '/', only: 'phone', prepare: press('Search prompts') },
  {
    name: 'add-category',
    who: 'user',
    path: '/',
    prepare: inTurn(sidebarShown, press('Add Category'), press('Add Tag')),
  },
  { name: 'palette', who: 'admin', path: '/', only: 'desk', opener: button('Command palette') },
  { name: 'palette-guest', who: 'guest', path: '/', only: 'desk', opener: button('Command palette') },
  {
    name: 'palette',
    who: 'user',
    path: '/',
    only: 'phone',
    prepare: inTurn(
      sidebarShown,
      press('Find, run or create'),
      there((page) => page.getByRole('combobox')),
    ),
  },
  {
    name: 'palette-found',
    who: 'user',
    path: '/',
    only: 'desk',
    prepare: inTurn(press('Command palette'), (page) => page.getByRole('combobox').fill('boat')),
  },
  {
    name: 'palette-nothing-found',
    who: 'user',
    path: '/',
    only: 'desk',
    prepare: inTurn(press('Command palette'), (page) => page.getByRole('combobox').fill('zeppelin qqq')),
  },
  {
    name: 'shortcuts',
    who: 'user',
    path: '/',
    prepare: inTurn(cardsShown, (page) => page.keyboard.press('?'), seen('Keyboard shortcuts')),
  },
  {
    name: 'hint',
    who: 'user',
    path: '/',
    only: 'desk',
    prepare: inTurn(
      (page) => button('Add Category')(page).hover(),
      there((page) => page.getByRole('tooltip')),
    ),
  },
  {
    name: 'crash',
    who: 'user',
    path: '/',
    network: (page) =>
      page.route(/\/assets\/variables-route-/, (route) =>
        route.fulfill({
          contentType: 'text/javascript',
          body: "export default () => { throw new Error('The page fell over.') }",
        }),
      ),
    prepare: inTurn(
      sidebarShown,
      (page) => page.getByRole('link', { name: /^Variables/ }).click(),
      seen('This page could not be shown'),
    ),
  },
  { name: 'authentication-required', who: 'guest', path: '/', opener: button('New prompt') },
  {
    name: 'delete-prompt',
    who: 'user',
    path: '/',
    prepare: inTurn(
      choose('Delete'),
      there((page) => page.getByRole('alertdialog')),
    ),
  },
  {
    name: 'share-prompt',
    who: 'user',
    path: '/',
    network: answers(/\/shares$/, [
      { username: 'grace', role: 'editor' },
      { username: 'a-name-that-is-as-long-as-names-of-people-ever-get-here', role: 'viewer' },
    ]),
    prepare: inTurn(choose('Share'), seen(/^Viewers can see and run it/)),
  },
  {
    name: 'share-prompt-groups',
    who: 'user',
    path: '/',
    network: together(
      answers('/api/groups', groups),
      answers('/api/users/search', [{ id: 7, username: 'supriya' }]),
      answers(/\/shares$/, [
        { username: 'ines', role: 'editor' },
        { group: 'Support leads', role: 'viewer' },
        { group: 'A group that one has left', role: 'viewer' },
      ]),
    ),
    prepare: inTurn(
      choose('Share'),
      seen('group, 4 people'),
      (page) => page.getByPlaceholder('Username or group').fill('sup'),
      seen('supriya'),
    ),
  },
  {
    name: 'share-prompt-error',
    who: 'user',
    path: '/',
    network: fails(/\/shares$/),
    prepare: inTurn(choose('Share'), seen('The people could not be loaded')),
  },
  {
    name: 'skill',
    who: 'user',
    path: '/',
    network: together(answers(/\/skill$/, SKILL), answers(/\/fetches$/, FETCHES)),
    prepare: inTurn(choose('Skill'), seen('Fetched last')),
  },
  {
    name: 'skill-new',
    who: 'user',
    path: '/',
    prepare: inTurn(choose('Skill'), seen('Files beside SKILL.md')),
  },
  {
    name: 'skill-error',
    who: 'user',
    path: '/',
    network: fails(/\/skill$/),
    prepare: inTurn(choose('Skill'), seen('The skill could not be loaded')),
  },
]
