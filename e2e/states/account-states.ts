import { answers, changes, fails, installation, never, together } from './network.ts'
import { schedulerAnswers, schedulerPaused } from './schedule-states.ts'
import type { State } from './state.ts'
import { button, fill, inTurn, press, type Step, seen, sidebarShown, submitEmpty, there } from './steps.ts'

/** A year of a thousand runs a day. */
const storage = {
  settings: { runDays: null, textDays: 90, keyHours: 24 },
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
    prepare: seen(/^New accounts are made/),
  },
  { name: 'not-found', who: 'guest', path: '/no-such-page' },
  { name: 'api-docs', who: 'guest', path: '/api/docs' },
  { name: 'api-docs-section', who: 'guest', path: '/api/docs/prompts#get-api-prompts-id-' },
]

const mail = { isSetUp: true, recipients: 'confirmed', domains: [], ownAddress: 'grace@example.org' }
const tab = (name: string) => there((page) => page.getByRole('tab', { name, selected: true }))
const settings = (name: string, ...steps: Step[]) =>
  inTurn(
    sidebarShown,
    press('Settings'),
    (page) => page.getByRole('tab', { name }).click(),
    tab(name),
    ...steps,
  )
export const adminSettings = (name: string, ...steps: Step[]) =>
  inTurn(
    sidebarShown,
    press('Admin Settings'),
    (page) => page.getByRole('tab', { name }).click(),
    tab(name),
    ...steps,
  )

/** What a person sets for themselves, and an admin for everyone. */
const settingsStates: readonly State[] = [
  { name: 'settings', who: 'user', path: '/', prepare: sidebarShown, opener: button('Settings') },
  {
    name: 'password-errors',
    who: 'user',
    path: '/',
    prepare: settings('Password', submitEmpty('Change password')),
  },
  {
    name: 'settings-email-waiting',
    who: 'user',
    path: '/',
    network: answers('/api/mail', { ...mail, ownAddressState: 'waiting' }),
    prepare: settings('Email', seen('Not confirmed')),
  },
  {
    name: 'settings-email-refused',
    who: 'user',
    path: '/',
    network: answers('/api/mail', { ...mail, ownAddressState: 'refused' }),
    prepare: settings('Email', seen('Refused')),
  },
  {
    name: 'settings-email-sent',
    who: 'user',
    path: '/',
    network: together(
      answers('/api/mail', { ...mail, ownAddressState: 'waiting' }),
      answers('/api/mail/confirmation', { ...mail, ownAddressState: 'waiting' }),
    ),
    prepare: settings('Email', press('Send again'), seen('Mail sent')),
  },
  {
    name: 'settings-email-confirmed',
    who: 'user',
    path: '/',
    network: answers('/api/mail', { ...mail, ownAddressState: 'confirmed' }),
    prepare: settings('Email', seen('Confirmed')),
  },
  {
    name: 'settings-email-no-mail',
    who: 'user',
    path: '/',
    network: answers('/api/mail', { ...mail, isSetUp: false, ownAddressState: null }),
    prepare: settings('Email', seen(/^Mail is not set up/)),
  },
  {
    name: 'settings-email-error',
    who: 'user',
    path: '/',
    network: fails('/api/mail'),
    prepare: settings('Email', seen('Try again')),
  },
  {
    name: 'settings-examples',
    who: 'user',
    path: '/',
    prepare: settings('Examples', seen('Start with examples')),
  },
  {
    name: 'settings-examples-present',
    who: 'user',
    path: '/',
    network: changes('/api/examples', { present: { prompts: 8, chains: 2, variables: 4, suites: 1 } }),
    prepare: settings('Examples', seen(/^You have /)),
  },
  {
    name: 'settings-examples-error',
    who: 'user',
    path: '/',
    only: 'desk',
    network: fails('/api/examples'),
    prepare: settings('Examples', seen('Try again')),
  },
  { name: 'settings-appearance', who: 'user', path: '/', prepare: settings('Appearance') },
  {
    name: 'settings-time-zone',
    who: 'user',
    path: '/',
    prepare: settings('Time zone', seen(/^Browser’s zone/)),
  },
  {
    name: 'time-zones',
    who: 'user',
    path: '/',
    prepare: settings('Time zone', seen(/^Browser’s zone/)),
    opener: (page) => page.getByLabel('Time zone', { exact: true }).and(page.getByRole('button')),
  },
  { name: 'settings-sessions', who: 'user', path: '/', prepare: settings('Sessions', seen('This device')) },
  {
    name: 'settings-loading',
    who: 'user',
    path: '/',
    network: never('/api/account/sessions'),
    prepare: settings('Sessions'),
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
    path: '/',
    network: changes('/api/admin/debug-mode', { debugMode: true }),
    prepare: adminSettings(
      'General',
      there((page) => page.getByRole('switch', { checked: true })),
    ),
  },
  {
    name: 'admin-schedules',
    who: 'admin',
    path: '/',
    network: schedulerAnswers,
    prepare: adminSettings('Schedules', seen('1,204')),
  },
  {
    name: 'admin-schedules-paused',
    who: 'admin',
    path: '/',
    network: schedulerPaused,
    prepare: adminSettings('Schedules', seen(/^All schedules are paused/)),
  },
  {
    name: 'admin-storage',
    who: 'admin',
    path: '/',
    network: answers('/api/admin/retention', storage),
    prepare: adminSettings(
      'Storage',
      fill('Keep runs for (days)', '365'),
      seen(/^Older ones are permanently deleted/),
    ),
  },
  { name: 'admin-users', who: 'admin', path: '/', prepare: adminSettings('Users', seen('3 accounts')) },
  {
    name: 'admin-users-error',
    who: 'admin',
    path: '/',
    network: fails('/api/admin/users'),
    prepare: adminSettings('Users', seen('Try again')),
  },
  {
    name: 'role-select',
    who: 'admin',
    path: '/',
    prepare: adminSettings('Users', seen('3 accounts')),
    opener: (page) => page.getByRole('combobox', { name: 'Role of grace' }),
  },
  {
    name: 'disable-user',
    who: 'admin',
    path: '/',
    prepare: adminSettings('Users', seen('3 accounts')),
    opener: button('Disable grace'),
  },
  {
    name: 'user-bounds',
    who: 'admin',
    path: '/',
    prepare: inTurn(adminSettings('Users', seen('3 accounts')), press('Limits of grace'), seen(/ used$/)),
  },
  {
    name: 'user-bounds-error',
    who: 'admin',
    path: '/',
    prepare: inTurn(
      adminSettings('Users', seen('3 accounts')),
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
