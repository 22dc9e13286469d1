import {
  allAsks,
  answeredAsk,
  callingAsk,
  expiredAsk,
  longAsk,
  openAsk,
  openAsks,
  otherAsk,
  rejectedAsk,
  sends,
  unsureAnsweredAsk,
  unsureAsk,
  withdrawnAsk,
} from './ask-answers.ts'
import { toCopy } from './chain-run-states.ts'
import { editor } from './fill-chains.ts'
import { groups } from './group-answers.ts'
import { answers, fails, never, together } from './network.ts'
import { foundPeople, longName } from './owner-answers.ts'
import type { State } from './state.ts'
import { button, chainShown, fill, inTurn, press, type Step, seen, there } from './steps.ts'

const LIST = '/api/asks'
const counted = (count: number) => answers('/api/asks/count', { count })
const lists = (asks: readonly object[], count: number) => together(counted(count), answers(LIST, asks))
const shows = (ask: { id: number }) => answers(`/api/asks/${ask.id}`, ask)

const ASKED = {
  question: 'May this letter be sent to Harbour & Sons?',
  text: 'This is the letter:\n\n{{draft}}',
  editable: true,
  people: ['grace'],
  groups: [],
  notTheRunner: false,
  choices: [
    { id: 'approve', label: 'Approve' },
    { id: 'reject', label: 'Reject', ends: 'failed' },
  ],
  deadlineMinutes: 1_440,
  onDeadline: 'reject',
}

/** A copy of the letter's chain, whose draft is asked about before it is shortened. */
const asked = (ask: object, end: Step): Step =>
  inTurn(
    chainShown,
    toCopy('Letter, once approved', async ({ id, steps: [draft] }, call) => {
      const position = draft?.position
      const named = { kind: 'ask', title: 'Approve the letter', outputVariableName: 'approved', position }
      await call('POST', `/chains/${id}/steps`, { ...named, ask: { ...ASKED, ...ask } })
    }),
    end,
  )

const compared = there((page) => page.locator('.cm-changedText'))

const waiting = (ask: object): Step => asked(ask, inTurn(press(/^Execute Chain/), seen(/^Waiting for/)))

/** The text with its own emphasis, which takes the browser’s worker a moment. */
const rendered = there((page) => page.locator('strong', { hasText: '€49.90' }))

const kindAsk: Step = (page) => page.getByRole('radio', { name: /^Ask/ }).click()

const refuses = (status: number, body: object) => (page: Parameters<Step>[0]) =>
  page.route(/\/answer$/, (route) => route.fulfill({ status, json: body }))

/** Steps that ask people, runs that wait for them, and the questions that they answer. */
export const askStates: readonly State[] = [
  {
    name: 'add-step-ask',
    who: 'user',
    path: '/chains/:digest?step=new',
    network: together(answers('/api/users/search', foundPeople), answers('/api/groups', groups)),
    prepare: inTurn(
      kindAsk,
      fill('Title', 'Ana approves the answer'),
      fill('Question', 'May this digest be sent?'),
      (page) => page.getByPlaceholder('Username or group').fill('a'),
      there((page) => page.getByRole('option', { name: longName })),
    ),
  },
  {
    name: 'add-step-ask-errors',
    who: 'user',
    path: '/chains/:digest?step=new',
    prepare: inTurn(
      kindAsk,
      fill('Output variable name', 'approved'),
      fill('Question', 'May this digest be sent?'),
      press(/^Add Step/),
      seen('Choose who may answer'),
    ),
  },
  {
    name: 'edit-step-ask',
    who: 'user',
    path: '/chains/:letter',
    prepare: asked(
      { people: [editor.username], notTheRunner: true, role: 'editor' },
      inTurn(press('Approve the letter'), seen(/can’t see this chain/)),
    ),
  },
  {
    name: 'chain-asks',
    who: 'user',
    path: '/chains/:letter',
    prepare: asked({ people: ['grace', editor.username], role: 'editor' }, seen(/^asks grace/)),
  },
  {
    name: 'chain-asking',
    who: 'user',
    path: '/chains/:letter',
    prepare: inTurn(waiting({}), seen('Add a reason')),
  },
  {
    name: 'chain-asking-others',
    who: 'user',
    path: '/chains/:letter?history=open',
    prepare: inTurn(
      waiting({ people: ['grace', editor.username] }),
      there((page) => page.locator('[data-execution-id]').first()),
    ),
  },
  {
    name: 'chain-asked',
    who: 'user',
    path: '/chains/:letter',
    prepare: inTurn(
      waiting({}),
      press('Add a reason'),
      fill('Reason', 'Reads well.'),
      press('Approve'),
      seen('Chain executed'),
    ),
  },
  {
    name: 'chain-run-sends',
    who: 'user',
    path: '/chains/:letter',
    network: answers(/\/sends$/, sends),
    prepare: asked({}, chainShown),
    opener: button(/^Execute Chain/),
  },
  {
    name: 'asks',
    who: 'user',
    path: '/asks',
    network: together(lists(openAsks, 3), shows(openAsk)),
    prepare: rendered,
  },
  {
    name: 'asks-all',
    who: 'user',
    path: '/asks?show=all',
    network: lists(allAsks, 3),
    prepare: seen(/^Withdrawn/),
  },
  {
    name: 'asks-empty',
    who: 'user',
    path: '/asks',
    network: lists([], 0),
    prepare: seen('Nothing waits for you'),
  },
  {
    name: 'asks-loading',
    who: 'user',
    path: '/asks',
    network: never(LIST),
    prepare: seen('Loading questions'),
  },
  { name: 'asks-error', who: 'user', path: '/asks', network: fails(LIST), prepare: seen('Try again') },
  { name: 'ask', who: 'user', path: '/asks/71', network: shows(openAsk), prepare: rendered },
  {
    name: 'ask-edited',
    who: 'user',
    path: '/asks/71',
    network: shows(openAsk),
    prepare: inTurn(
      press('Edit the text'),
      fill('Text', 'Your people can sign in again.'),
      press('Add a reason'),
      fill('Reason', 'Shorter is better.'),
      seen('Undo my changes'),
    ),
  },
  {
    name: 'ask-calls',
    who: 'user',
    path: '/asks/79',
    network: shows(callingAsk),
    prepare: seen('Step 6: Book the refund'),
  },
  {
    name: 'ask-unsure',
    who: 'user',
    path: '/asks/80',
    network: shows(unsureAsk),
    prepare: seen('It happened'),
  },
  {
    name: 'ask-unsure-refused',
    who: 'user',
    path: '/asks/80',
    network: together(shows(unsureAsk), (page) =>
      page.route(/\/unsure$/, (route) =>
        route.fulfill({ status: 400, json: { error: 'The answer is not JSON' } }),
      ),
    ),
    prepare: inTurn(
      press('Add the service’s answer'),
      fill('Answer of the service', 'booked'),
      press('It happened'),
      seen('The answer is not JSON'),
    ),
  },
  {
    name: 'ask-unsure-answered',
    who: 'user',
    path: '/asks/81',
    network: shows(unsureAnsweredAsk),
    prepare: seen(/^It happened/),
  },
  {
    name: 'ask-long',
    who: 'user',
    path: '/asks/72',
    network: shows(longAsk),
    prepare: seen('Ask again tomorrow'),
  },
  {
    name: 'ask-answered-first',
    who: 'user',
    path: '/asks/71',
    network: together(
      shows(openAsk),
      refuses(409, { error: 'It is already answered', details: { ...answeredAsk, id: 71 } }),
    ),
    prepare: inTurn(press('Approve'), seen('Their bank takes that long.')),
  },
  {
    name: 'ask-answered',
    who: 'user',
    path: '/asks/75',
    network: shows(answeredAsk),
    prepare: inTurn(seen(/bank/), compared),
  },
  {
    name: 'ask-rejected',
    who: 'user',
    path: '/asks/76',
    network: shows(rejectedAsk),
    prepare: inTurn(seen(/^Reject/), rendered),
  },
  {
    name: 'ask-expired',
    who: 'user',
    path: '/asks/77',
    network: shows(expiredAsk),
    prepare: inTurn(seen(/in time/), rendered),
  },
  {
    name: 'ask-withdrawn',
    who: 'user',
    path: '/asks/78',
    network: shows(withdrawnAsk),
    prepare: inTurn(seen(/^Withdrawn/), rendered),
  },
  {
    name: 'ask-others',
    who: 'user',
    path: '/asks/74',
    network: shows(otherAsk),
    prepare: inTurn(seen(/^Waiting for ana/), rendered),
  },
  { name: 'ask-gone', who: 'user', path: '/asks/999999', prepare: seen('This question is not here') },
  {
    name: 'ask-loading',
    who: 'user',
    path: '/asks/71',
    network: never('/api/asks/71'),
    prepare: seen('Loading the question'),
  },
  {
    name: 'ask-error',
    who: 'user',
    path: '/asks/71',
    network: fails('/api/asks/71'),
    prepare: seen('Try again'),
  },
  { name: 'notifications', who: 'user', path: '/settings/notifications', prepare: seen('Questions') },
  {
    name: 'notifications-loading',
    who: 'user',
    path: '/settings/notifications',
    network: never('/api/account'),
    prepare: seen('Loading notifications'),
  },
  {
    name: 'notifications-error',
    who: 'user',
    path: '/settings/notifications',
    network: fails('/api/account'),
    prepare: seen('Try again'),
  },
]
