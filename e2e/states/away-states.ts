import type { Page } from 'playwright-core'
import { goOffline, mailPage, never, unreachable } from './network.ts'
import type { State } from './state.ts'
import {
  cardsShown,
  codeMissed,
  fill,
  inTurn,
  press,
  type Step,
  seen,
  sidebarShown,
  there,
  toastsReady,
} from './steps.ts'

const loginDialog = (page: Page) => page.getByRole('dialog', { name: 'Log in' })

/** Saves a form whose session has ended elsewhere. */
const saveAfterTheEnd: Step = inTurn(
  fill('Title', 'A longer thought'),
  (page) => page.context().clearCookies(),
  (page) => page.keyboard.press('Control+Enter'),
  there((page) => loginDialog(page).getByText(/Your session has ended/)),
)

/** Without the network, without a session, and where links in mails lead. */
export const awayStates: readonly State[] = [
  {
    name: 'offline',
    who: 'user',
    path: '/',
    network: unreachable(/\/assets\/shortcut-sheet-/),
    prepare: inTurn(
      cardsShown,
      toastsReady,
      codeMissed('shortcut-sheet'),
      goOffline,
      (page) => page.keyboard.press('?'),
      seen('You are offline.'),
      seen('Retry'),
    ),
  },
  {
    name: 'offline-in-place',
    who: 'user',
    path: '/chains/:digest',
    network: unreachable(/\/assets\/prompt-editor-view-/),
    prepare: inTurn(press(/^Add Step/), seen('The server could not be reached.')),
  },
  {
    name: 'page-missing',
    who: 'user',
    path: '/',
    network: unreachable(/\/assets\/variables-route-/),
    prepare: inTurn(
      sidebarShown,
      (page) => page.getByRole('link', { name: /^Variables/ }).click(),
      seen('The server could not be reached.'),
    ),
  },
  {
    name: 'offline-refused',
    who: 'user',
    path: '/',
    prepare: inTurn(
      cardsShown,
      toastsReady,
      goOffline,
      (page) => page.getByRole('switch').first().click(),
      seen(/^Failed to update prompt status/),
    ),
  },
  {
    name: 'server-away',
    who: 'user',
    path: '/',
    network: unreachable('/api/user'),
    prepare: seen('Can’t reach the server'),
  },
  {
    name: 'page-skeleton',
    who: 'user',
    path: '/execute/:own',
    network: never(/\/assets\/execute-route-/),
    prepare: there((page) => page.getByRole('main').getByText('Loading...')),
  },
  { name: 'login-again', who: 'user', path: '/?prompt=:own', prepare: saveAfterTheEnd },
  {
    name: 'login-again-refused',
    who: 'user',
    path: '/?prompt=:own',
    prepare: inTurn(saveAfterTheEnd, async (page) => {
      await loginDialog(page).getByLabel('Password').fill('not the password')
      await loginDialog(page).getByRole('button', { name: 'Log in' }).click()
      await page.getByText('Login failed').first().waitFor()
    }),
  },
  { name: 'auth-sent-here', who: 'guest', path: '/execute/:own', prepare: seen(/^Log in to run a prompt/) },
  { name: 'mail-confirm', who: 'guest', path: '/api/mail/confirm/:asked' },
  {
    name: 'mail-confirmed',
    who: 'guest',
    path: '/api/mail/confirm/:asked',
    network: mailPage('confirmed'),
    prepare: seen('Email address confirmed'),
  },
  {
    name: 'mail-expired',
    who: 'guest',
    path: '/api/mail/confirm/:asked',
    network: mailPage('expired'),
    prepare: seen('This link has expired'),
  },
  { name: 'mail-unsubscribe', who: 'guest', path: '/api/mail/unsubscribe/:stranger' },
  { name: 'mail-unknown', who: 'guest', path: '/api/mail/confirm/nothing-of-ours' },
]
