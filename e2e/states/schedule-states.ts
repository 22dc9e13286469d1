import type { Page } from 'playwright-core'
import { sends } from './ask-answers.ts'
import { answers, fails, never, together } from './network.ts'
import { scheduledChains, scheduler, schedules } from './schedule-answers.ts'
import type { State } from './state.ts'
import {
  button,
  chainShown,
  choose,
  fill,
  inTurn,
  press,
  type Step,
  seen,
  submitEmpty,
  there,
} from './steps.ts'

const list = /^\/api\/chains\/\d+\/scheduled-runs$/
const listed = answers(list, schedules)
const shown = seen('Digest for the team')
const path = '/chains/:digest/scheduled'
const strip = (page: Page) => page.getByRole('slider', { name: /^Last runs of Digest for the team/ })
const dialog = (name: string) => there((page) => page.getByRole('dialog', { name }))
const asking = dialog('Schedule Chain Run')
const repeating = (kind: string, ...steps: Step[]) =>
  inTurn(
    asking,
    fill('Schedule time', '2031-03-03T08:00'),
    (page) => page.getByRole('switch', { name: 'Recurring' }).click(),
    choose(kind),
    ...steps,
  )
const day = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).click()
const mail = (state: object) =>
  answers('/api/mail', {
    isSetUp: true,
    recipients: 'any',
    domains: [],
    ownAddress: 'grace@example.org',
    ownAddressState: 'confirmed',
    ...state,
  })

/** Schedules: making one, the list of a chain's, what an admin sets. */
export const scheduleStates: readonly State[] = [
  {
    name: 'schedule-run',
    who: 'user',
    path: '/chains/:digest',
    network: mail({}),
    prepare: chainShown,
    opener: button('Schedule Run'),
  },
  {
    name: 'schedule-run-errors',
    who: 'user',
    path: '/chains/:digest?schedule=new',
    network: mail({}),
    prepare: inTurn(
      asking,
      fill('Email recipients', 'team@example.org, nobody'),
      submitEmpty(/^Schedule Run/),
    ),
  },
  {
    name: 'schedule-run-weekly',
    who: 'user',
    path: '/chains/:digest?schedule=new',
    network: mail({ recipients: 'confirmed', domains: ['example.org'] }),
    prepare: repeating(
      'Weekly',
      day('Monday'),
      day('Thursday'),
      fill('Email recipients', 'team@example.org, ops@example.org'),
      seen(/^Weekly on Monday, Thursday/),
      seen(/^Results go at once to/),
    ),
  },
  {
    name: 'schedule-run-monthly',
    who: 'user',
    path: '/chains/:digest?schedule=new',
    network: mail({ isSetUp: false }),
    prepare: repeating('Monthly', fill('Day of the month', '31'), seen(/^Mail is not set up/)),
  },
  {
    name: 'schedule-run-cron',
    who: 'user',
    path: '/chains/:letter?schedule=new',
    network: mail({}),
    prepare: repeating('Cron', fill('Cron expression', '30 8-17 * 3,9 1-5'), seen(/^Custom recurring/)),
  },
  {
    name: 'schedule-run-sends',
    who: 'user',
    path: '/chains/:letter?schedule=new',
    network: together(mail({}), answers(/\/sends$/, sends)),
    prepare: inTurn(asking, seen('Where your private values may go')),
  },
  { name: 'scheduled-runs', who: 'user', path, network: listed, prepare: shown },
  {
    name: 'scheduled-runs-without-mail',
    who: 'user',
    path,
    network: together(
      answers(list, [{ ...schedules[1], status: 'pending', emailStatus: null }]),
      mail({ isSetUp: false }),
    ),
    prepare: inTurn(shown, seen(/^Mail is not set up/)),
  },
  {
    name: 'chain-scheduled',
    who: 'user',
    path: '/chains/:digest',
    network: answers('/api/scheduled-chains', scheduledChains),
    prepare: inTurn(chainShown, seen(/^next /)),
  },
  {
    name: 'scheduled-runs-mark',
    who: 'user',
    path,
    network: listed,
    prepare: inTurn(shown, (page) => strip(page).fill('15'), seen(/failed: Step 2/)),
  },
  {
    name: 'scheduled-runs-sends',
    who: 'user',
    path,
    network: answers(
      list,
      schedules.map((one) => ({ ...one, asksToSend: sends })),
    ),
    prepare: inTurn(shown, seen(/^Runs stop at/)),
  },
  {
    name: 'scheduled-runs-loading',
    who: 'user',
    path,
    network: never(list),
    prepare: there((page) => page.getByRole('status').filter({ hasText: 'Loading scheduled runs' })),
  },
  {
    name: 'scheduled-runs-error',
    who: 'user',
    path,
    network: fails(list),
    prepare: seen('The scheduled runs could not be loaded'),
  },
  {
    name: 'scheduled-runs-empty',
    who: 'user',
    path: '/chains/:stepless/scheduled',
    prepare: seen('No scheduled runs found'),
  },
  {
    name: 'scheduled-runs-missing',
    who: 'user',
    path: '/chains/999999/scheduled',
    prepare: seen('Chain not found'),
  },
  {
    name: 'edit-schedule',
    who: 'user',
    path,
    network: async (page) => Promise.all([listed(page), mail({ recipients: 'confirmed' })(page)]),
    prepare: shown,
    opener: button('Edit: Digest for the team'),
  },
  {
    name: 'delete-schedule',
    who: 'user',
    path,
    network: listed,
    prepare: shown,
    opener: button('Delete: Digest for the team'),
  },
  {
    name: 'schedule-deactivated',
    who: 'user',
    path,
    network: async (page) => {
      await listed(page)
      await answers('/api/scheduled-runs/1', { ...schedules[1], active: false })(page)
    },
    prepare: inTurn(
      shown,
      press('Deactivate: Digest for the team'),
      there((page) => page.getByRole('button', { name: 'Undo' })),
    ),
  },
]

/** What an admin sets for all schedules, and sees of them. */
export const schedulerAnswers = answers('/api/admin/schedules', scheduler)
export const schedulerPaused = answers('/api/admin/schedules', {
  ...scheduler,
  paused: true,
  mailIsSetUp: false,
})
