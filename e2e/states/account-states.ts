import { answers, changes, fails, installation, never, together } from './network.ts'
import { schedulerAnswers, schedulerPaused } from './schedule-states.ts'
import type { State } from './state.ts'
import { button, fill, inTurn, press, type Step, seen, sidebarShown, submitEmpty, there } from './steps.ts'

/** A year of a thousand runs a day. */
const storage = {
  settings: { runDays: null, textDays: 90, keyHours: 24, activityDays: 400 },
  sizes: {
    runs: { bytes: 1_640_000_000, rows: 365_000 },
    texts: { bytes: 212_300_000 },
    keys: { bytes: 1_819_200, rows: 1200 },
    database: { bytes: 2_100_000_000 },
  },
  last: { at: '2026-11-22T08:00:00.000Z', runs: 0, texts: 1004 },
}

const fillLogin: Step = async (page) => {
  await page.getByLabel('Username').fill('nobody')
  await page.getByLabel('Password').fill('not the password')
}

/** Coming in. */
const entry: readonly State[] = [
  { name: 'auth', who: 'guest', path: '/auth' },
  {
    name: 'auth-first',
    who: 'guest',
    path: '/auth',
    network: installation({ registration: 'first' }),
    prepare: seen(/The first account becomes the administrator/),
  },
  { name: 'login', who: 'guest', path: '/auth', opener: button('Log In') },
  {
    name: 'login-errors',
    who: 'guest',
    path: '/auth',
    prepare: inTurn(press('Log In'), submitEmpty('Log in')),
  },
  {
    name: 'login-refused',
    who: 'guest',
    path: '/auth',
    prepare: inTurn(press('Log In'), fillLogin, press('Log in'), seen('Login failed')),
  },
  { name: 'register', who: 'guest', path: '/auth', opener: button('Create Account') },
  {
    name: 'register-errors',
    who: 'guest',
    path: '/auth',
    prepare: inTurn(press('Create Account'), submitEmpty('Create account')),
  },
  {
    name: 'auth-closed',
    who: 'guest',
    path: '/auth',
    network: installation({ registration: 'closed' }),
    prepare: seen(/^Only an admin can create accounts/),
  },
  { name: 'not-found', who: 'guest', path: '/no-such-page' },
  { name: 'api-docs', who: 'guest', path: '/api/docs' },
  { name: 'api-docs-section', who: 'guest', path: '/api/docs/prompts#get-api-prompts-id-' },
]

const mail = { isSetUp: true, recipients: 'confirmed', domains: [], ownAddress: 'grace@example.org' }
/** What a person sets for themselves, and an admin for everyone. */
const settingsStates: readonly State[] = [
  {
    name: 'settings',
    who: 'user',
    path: '/settings',
    prepare: seen('Time zone'),
  },
  {
    name: 'password-errors',
    who: 'user',
    path: '/settings/password',
    prepare: submitEmpty('Change password'),
  },
  {
    name: 'settings-email-waiting',
    who: 'user',
    path: '/settings/profile',
    network: answers('/api/mail', { ...mail, ownAddressState: 'waiting' }),
    prepare: seen('Not confirmed'),
  },
  {
    name: 'settings-email-refused',
    who: 'user',
    path: '/settings/profile',
    network: answers('/api/mail', { ...mail, ownAddressState: 'refused' }),
    prepare: seen('Refused'),
  },
  {
    name: 'settings-email-sent',
    who: 'user',
    path: '/settings/profile',
    network: together(
      answers('/api/mail', { ...mail, ownAddressState: 'waiting' }),
      answers('/api/mail/confirmation', { ...mail, ownAddressState: 'waiting' }),
    ),
    prepare: inTurn(press('Send again'), seen('Email sent')),
  },
  {
    name: 'settings-email-confirmed',
    who: 'user',
    path: '/settings/profile',
    network: answers('/api/mail', { ...mail, ownAddressState: 'confirmed' }),
    prepare: seen('Confirmed'),
  },
  {
    name: 'settings-email-no-mail',
    who: 'user',
    path: '/settings/profile',
    network: answers('/api/mail', { ...mail, isSetUp: false, ownAddressState: null }),
    prepare: seen(/^Mail is not set up/),
  },
  {
    name: 'settings-email-error',
    who: 'user',
    path: '/settings/profile',
    network: fails('/api/mail'),
    prepare: seen('Try again'),
  },
  {
    name: 'settings-examples',
    who: 'admin',
    path: '/settings/examples',
    prepare: seen('Start with examples'),
  },
  {
    name: 'settings-examples-present',
    who: 'admin',
    path: '/settings/examples',
    network: changes('/api/examples', { present: { prompts: 8, chains: 2, variables: 4, suites: 1 } }),
    prepare: seen(/^You have /),
  },
  {
    name: 'settings-examples-error',
    who: 'admin',
    path: '/settings/examples',
    only: 'desk',
    network: fails('/api/examples'),
    prepare: seen('Try again'),
  },
  {
    name: 'settings-appearance',
    who: 'user',
    path: '/settings/appearance',
    prepare: seen('Single-key shortcuts'),
  },
  {
    name: 'settings-default-model',
    who: 'user',
    path: '/settings/default-model',
    prepare: seen('Default model'),
  },
  {
    name: 'settings-time-zone',
    who: 'user',
    path: '/settings/time-zone',
    prepare: seen(/^Browser’s zone/),
  },
  {
    name: 'time-zones',
    who: 'user',
    path: '/settings/time-zone',
    prepare: seen(/^Browser’s zone/),
    opener: (page) => page.getByLabel('Time zone', { exact: true }).and(page.getByRole('button')),
  },
  { name: 'settings-sessions', who: 'user', path: '/settings/sessions', prepare: seen('This device') },
  {
    name: 'settings-loading',
    who: 'user',
    path: '/settings/sessions',
    network: never('/api/account/sessions'),
    prepare: seen('Where you are signed in.'),
  },
  {
    name: 'admin-settings',
    who: 'admin',
    path: '/',
    prepare: sidebarShown,
    opener: button('Admin Settings'),
  },
  {
    name: 'admin-debug-mode',
    who: 'admin',
    path: '/settings/general',
    network: changes('/api/admin/debug-mode', { debugMode: true }),
    prepare: there((page) => page.getByRole('switch', { name: 'Debug mode', checked: true })),
  },
  {
    name: 'admin-schedules',
    who: 'admin',
    path: '/settings/schedules',
    network: schedulerAnswers,
    prepare: seen('1,204'),
  },
  {
    name: 'admin-schedules-paused',
    who: 'admin',
    path: '/settings/schedules',
    network: schedulerPaused,
    prepare: seen(/^All schedules are paused/),
  },
  {
    name: 'admin-storage',
    who: 'admin',
    path: '/settings/backups',
    network: answers('/api/admin/retention', storage),
    prepare: inTurn(fill('Keep runs for (days)', '365'), seen(/^Older ones are permanently deleted/)),
  },
  { name: 'admin-users', who: 'admin', path: '/settings/people', prepare: seen('3 accounts') },
  {
    name: 'admin-users-error',
    who: 'admin',
    path: '/settings/people',
    network: fails('/api/admin/users'),
    prepare: seen('Try again'),
  },
  {
    name: 'role-select',
    who: 'admin',
    path: '/settings/people',
    prepare: seen('3 accounts'),
    opener: (page) => page.getByRole('combobox', { name: 'Role of grace' }),
  },
  {
    name: 'disable-user',
    who: 'admin',
    path: '/settings/people',
    prepare: seen('3 accounts'),
    opener: button('Disable grace'),
  },
  {
    name: 'user-bounds',
    who: 'admin',
    path: '/settings/quotas',
    prepare: inTurn(press('Limits of grace'), seen(/ used$/)),
  },
  {
    name: 'user-bounds-error',
    who: 'admin',
    path: '/settings/quotas',
    prepare: inTurn(
      press('Limits of grace'),
      seen(/ used$/),
      (page) => page.getByRole('textbox', { name: 'Prompts', exact: true }).fill('many'),
      press(/^Save/),
      there((page) => page.getByRole('alert')),
    ),
  },
  { name: 'test-dashboard', who: 'admin', path: '/test-dashboard.html', prepare: seen(/^\d+ checks: /) },
  {
    name: 'test-dashboard-error',
    who: 'admin',
    path: '/test-dashboard.html',
    network: fails('/api/admin/checks'),
    prepare: seen('Try again'),
  },
]

/** Coming in, and what a person or an admin sets. */
export const accountStates: readonly State[] = [...entry, ...settingsStates]
