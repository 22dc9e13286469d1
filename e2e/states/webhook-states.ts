import { makeDelivery, makeWebhook } from '../../apps/web/src/features/webhooks/testing/make-webhook.ts'
import { answers, fails, never } from './network.ts'
import type { State } from './state.ts'
import { button, inTurn, press, seen, there } from './steps.ts'

const MINUTE_MS = 60_000
const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS).toISOString()
const LIST = '/api/webhooks'
const DELIVERIES = /^\/api\/webhooks\/\d+\/deliveries$/

const tried = (minutes: number, status: number | null, ms: number) => ({
  at: ago(minutes),
  status,
  ms,
  error: status === null ? 'The address did not answer within 10 seconds' : null,
  isByHand: false,
})
const tries = [tried(22, 502, 300), tried(21, null, 10_000), tried(16, 502, 400)]
const nextTryAt = ago(-16)
const bars = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => ({ id: from + index + 1, state: 'delivered' as const }))

const listed = [
  makeWebhook({
    url: 'https://deploy.example.org/catenary',
    events: ['label.moved', 'gate.failed'],
    latestTry: tried(5, 204, 88),
  }),
  makeWebhook({
    id: 4,
    url: 'https://hooks.shop.example/prompts',
    events: ['run.failed', 'budget.near'],
    sendsTexts: true,
    waiting: 3,
    latestTry: tries[2] as never,
    failingSince: ago(22),
    leftOutAt: ago(3),
    retried: { id: 120, tries: 3, nextTryAt },
    recent: [
      ...bars(17, 100),
      { id: 118, state: 'failed' },
      { id: 119, state: 'failed' },
      { id: 120, state: 'waiting' },
    ],
  }),
  makeWebhook({
    id: 5,
    url: `https://automation.example.org/flows/${'a-path-that-nobody-reads-aloud/'.repeat(6)}hook?token=1f0c`,
    events: [
      'run.completed',
      'run.failed',
      'label.moved',
      'gate.failed',
      'budget.near',
      'schedule.missed',
      'import.done',
    ],
    isActive: false,
    offReason: 'failing',
    latestTry: tried(90, 500, 31),
    recent: [...bars(4), { id: 5, state: 'dropped' }],
  }),
  makeWebhook({
    id: 6,
    url: 'https://new.example.org/',
    events: ['import.done'],
    latestTry: null,
    recent: [],
  }),
]
const deliveries = [
  makeDelivery({
    id: 122,
    state: 'waiting',
    tries: [],
    waitsBehind: 120,
    createdAt: ago(4),
    endedAt: null,
    answer: null,
  }),
  makeDelivery({
    id: 121,
    state: 'waiting',
    tries: [],
    waitsBehind: 120,
    createdAt: ago(9),
    endedAt: null,
    answer: null,
  }),
  makeDelivery({
    id: 120,
    state: 'waiting',
    tries,
    tryCount: 3,
    nextTryAt,
    createdAt: ago(22),
    endedAt: null,
    answer: '<h1>502 Bad Gateway</h1>',
  }),
  makeDelivery({
    id: 119,
    type: 'budget.near',
    object: 'budget',
    state: 'failed',
    tries: [tried(900, 500, 9)],
    tryCount: 8,
    createdAt: ago(2_400),
  }),
  makeDelivery({ id: 118, type: 'webhook.test', object: 'test:7', createdAt: ago(3_000) }),
]

const page = { who: 'user', path: '/connect' } as const
const filled: NonNullable<State['network']> = async (on) => {
  await answers(DELIVERIES, deliveries)(on)
  await answers(LIST, listed)(on)
}
const shown = inTurn(
  seen('https://hooks.shop.example/prompts'),
  there((on) => on.getByRole('list', { name: /^Tries of/ })),
)
const open = inTurn(shown, press('https://hooks.shop.example/prompts'), seen('behind an earlier one'))
const menu = 'More: hooks.shop.example/prompts'
const created = { ...makeWebhook(), secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYq=' }

/** Webhooks, their deliveries and their dialogs. */
export const webhookStates: readonly State[] = [
  { name: 'webhooks', ...page, network: filled, prepare: shown },
  {
    name: 'webhooks-deliveries',
    ...page,
    network: filled,
    prepare: inTurn(open, press('run.failed #229'), seen('Body')),
  },
  { name: 'webhooks-empty', ...page, network: answers(LIST, []), prepare: seen('No endpoint yet.') },
  { name: 'webhooks-loading', ...page, network: never(LIST), prepare: seen('Webhooks') },
  { name: 'webhooks-error', ...page, network: fails(LIST), prepare: seen('Failed to load webhooks') },
  { name: 'webhooks-menu', ...page, network: filled, prepare: shown, opener: button(menu) },
  {
    name: 'webhooks-add',
    ...page,
    network: answers(LIST, []),
    prepare: seen('No endpoint yet.'),
    opener: button('Add endpoint'),
  },
  {
    name: 'webhooks-add-invalid',
    ...page,
    network: answers(LIST, []),
    prepare: inTurn(
      seen('No endpoint yet.'),
      press('Add endpoint'),
      (on) =>
        on
          .getByRole('dialog')
          .getByRole('button', { name: /^Add Endpoint/ })
          .click(),
      seen('Enter an address'),
    ),
  },
  {
    name: 'webhooks-secret',
    ...page,
    network: async (on) => {
      await answers('/api/webhooks/3/rotate', created)(on)
      await filled(on)
    },
    prepare: inTurn(
      shown,
      press('More: deploy.example.org/catenary'),
      (on) => on.getByRole('menuitem', { name: 'Rotate secret' }).click(),
      press('Rotate Secret'),
      there((on) => on.getByRole('dialog')),
    ),
  },
]
