import type { Page } from 'playwright-core'
import { answers } from './network.ts'
import type { State } from './state.ts'
import { button, fill, inTurn, pickInHeader, press, type Step, seen, there } from './steps.ts'
import * as version from './version-answers.ts'

const PROMPT = String.raw`^/api/prompts/\d+`
const onPrompt = (rest: string) => new RegExp(`${PROMPT}/${rest}$`)

/** A prompt with seven versions, whose production has tests to pass. */
const network =
  (gate: keyof typeof version.gates = 'open') =>
  async (page: Page) => {
    await answers(onPrompt('versions'), version.versions)(page)
    await answers(onPrompt('labels'), version.labels)(page)
    await page.route(
      (url) => onPrompt('label-moves').test(url.pathname),
      (route) => route.fulfill(version.movesFor(new URL(route.request().url()).searchParams)),
    )
    await answers('/api/usage/versions', version.figures)(page)
    await answers('/api/evaluations/versions', version.tests)(page)
    await answers(onPrompt('labels/production/dependants'), version.dependants)(page)
    await answers(onPrompt('labels/production/gate'), version.gates[gate])(page)
  }

const versionsShown = inTurn(press('3 versions'), (page) =>
  page.getByRole('radio', { name: /^Version 7/ }).click(),
)
const path = '/?prompt=:own'
const item = (name: string) => (page: Page) => page.getByRole('menuitem', { name })
const choose = (name: string): Step =>
  inTurn(versionsShown, press('Labels'), (page) => item(name)(page).click())
const dialog = (name: RegExp) => there((page) => page.getByRole('dialog', { name }))
const moveShown = inTurn(
  choose('Move production here'),
  dialog(/^Move production/),
  seen(/^Release, from commits/),
)

/** The rail of versions, their labels, and what moves them. */
export const versionStates: readonly State[] = [
  { name: 'version-rail', who: 'user', path, network: network(), prepare: versionsShown },
  {
    name: 'labels-menu',
    who: 'user',
    path,
    network: network(),
    prepare: versionsShown,
    opener: button('Labels'),
  },
  { name: 'move-label', who: 'user', path, network: network(), prepare: moveShown },
  {
    name: 'move-label-closed',
    who: 'user',
    path,
    network: network('closed'),
    prepare: inTurn(
      moveShown,
      fill('Reason', 'No German readers until 8 is out, and the notes are never empty on a launch day.'),
    ),
  },
  { name: 'move-label-untested', who: 'user', path, network: network('untested'), prepare: moveShown },
  {
    name: 'move-label-conflict',
    who: 'user',
    path,
    network: async (page) => {
      await network()(page)
      await answers(onPrompt('labels/production'), version.movedMeanwhile, 409)(page)
    },
    prepare: inTurn(moveShown, press(/^Move/), dialog(/^Move production 6/)),
  },
  {
    name: 'new-label',
    who: 'user',
    path,
    network: network(),
    prepare: inTurn(choose('New label'), press(/^Put/), seen(/^A label begins/)),
  },
  {
    name: 'remove-label',
    who: 'user',
    path,
    network: network(),
    prepare: inTurn(
      choose('Remove staging'),
      there((page) => page.getByRole('alertdialog')),
    ),
  },
  {
    name: 'version-note',
    who: 'user',
    path,
    network: network(),
    prepare: inTurn(choose('Edit note'), dialog(/^Note on version 7/)),
  },
  {
    name: 'label-moves',
    who: 'user',
    path,
    network: network(),
    prepare: inTurn(
      versionsShown,
      press(/^production moved/),
      dialog(/^Label history/),
      fill('Live at', '2026-11-12T14:03'),
      seen(/version 4$/),
    ),
  },
  {
    name: 'label-moves-none',
    who: 'user',
    path,
    prepare: inTurn(press('3 versions'), press('Label history'), seen(/^No labels moved yet/)),
  },
  {
    name: 'edit-prompt-advanced',
    who: 'user',
    path,
    prepare: inTurn(
      fill('Title', 'Notes to tasks'),
      press('Advanced'),
      there((page) => page.getByLabel('Slug')),
    ),
  },
  {
    name: 'protected-labels',
    who: 'admin',
    path: '/settings/organise',
    network: answers('/api/admin/protected-labels', [
      { label: 'production', whoMayMove: 'owners', groups: ['Release', 'Support leads'], needsSuite: true },
      { label: 'a-label-of-thirty-six-letters-123456', whoMayMove: 'admins', groups: [], needsSuite: false },
    ]),
    prepare: seen('Protect another label'),
  },
  {
    name: 'protected-labels-none',
    who: 'admin',
    path: '/settings/organise',
    prepare: seen(/^No label is protected/),
  },
  {
    name: 'chain-versions',
    who: 'user',
    path: '/chains/:digest',
    prepare: inTurn(
      pickInHeader('Versions and labels'),
      there((page) => page.getByRole('list', { name: 'Steps that changed' })),
    ),
  },
]
