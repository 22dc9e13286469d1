import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Toaster } from '../../components/toaster.tsx'
import { TooltipProvider } from '../../components/ui/tooltip.tsx'
import { createQueryClient } from '../../lib/query-client.ts'
import { makeDelivery, makeWebhook } from './testing/make-webhook.ts'
import { WebhooksSection } from './webhooks-section.tsx'

const LIST = 'GET /api/webhooks'
const DELIVERIES = 'GET /api/webhooks/3/deliveries?limit=50'
const MAIL = 'GET /api/mail'
const SECRET = 'whsec_c2VjcmV0IHNlY3JldCBzZWNyZXQgc2VjcmV0'
const noMail = () =>
  Response.json({
    isSetUp: false,
    recipients: 'own',
    domains: [],
    ownAddress: 'a@example.org',
    ownAddressState: null,
  })

beforeEach(() => {
  window.history.replaceState(null, '', '/connect')
  Element.prototype.hasPointerCapture = () => false
  Element.prototype.scrollIntoView = () => undefined
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

type Answer = () => Response

/** Shows the section with what its calls answer, one after the other; gives what it writes. */
function open(answers: Record<string, Answer | Answer[]>) {
  const written: { key: string; body: unknown }[] = []
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
    const key = `${init?.method ?? 'GET'} ${path}`
    if (key === 'GET /api/user') {
      return Response.json({ id: 1, username: 'ada', email: 'a@example.org', role: 'user' })
    }
    if (!key.startsWith('GET')) {
      written.push({ key, body: typeof init?.body === 'string' ? JSON.parse(init.body) : undefined })
    }
    const answer = answers[key]
    const next = Array.isArray(answer) ? (answer.length > 1 ? answer.shift() : answer[0]) : answer
    return next?.() ?? Response.json({ error: `No answer for ${key}` }, { status: 500 })
  })
  render(
    <QueryClientProvider client={createQueryClient()}>
      <TooltipProvider>
        <WebhooksSection />
      </TooltipProvider>
      <Toaster />
    </QueryClientProvider>,
  )
  return written
}

const failed = (at: string, status: number | null, ms: number) => ({
  at,
  status,
  ms,
  error: status === null ? 'The address did not answer within 10 seconds' : null,
  isByHand: false,
})

test('without any it says what they are for; a list that fails to load says so', async () => {
  open({ [LIST]: [() => Response.json({ error: 'Down' }, { status: 500 }), () => Response.json([])] })
  await userEvent.click(await screen.findByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('No endpoint yet.')).toBeTruthy()
  expect(screen.getByText('signed, each delivery tried up to 8 times within a day')).toBeTruthy()
})

test('The list shows address, events, the hidden secret, the last 20 deliveries as bars and how the endpoint answers; what failed shows its tries.', async () => {
  open({ [LIST]: () => Response.json([makeWebhook()]) })
  const row = within(
    (await screen.findByRole('button', { name: /^https:\/\/deploy/ })).closest('tr') as HTMLElement,
  )
  expect(row.getAllByText('run failed, label moved')).not.toHaveLength(0)
  expect(row.getByText('whsec_')).toBeTruthy()
  expect(row.getAllByRole('img', { name: 'Last 20 deliveries: 20 delivered' })).not.toHaveLength(0)
  expect(row.getAllByText('204 in 88 ms')).not.toHaveLength(0)
  expect(screen.getByText('1 endpoint, signed, each delivery tried up to 8 times within a day')).toBeTruthy()
})

test('one that fails shows its tries, the next one, and what waits behind; it is tried at once', async () => {
  const tries = [
    failed('2026-11-21T09:36:00.000Z', 502, 300),
    failed('2026-11-21T09:37:00.000Z', null, 10_000),
    failed('2026-11-21T09:42:00.000Z', 502, 400),
  ]
  const nextTryAt = '2026-11-21T09:58:00.000Z'
  const written = open({
    [LIST]: () =>
      Response.json([
        makeWebhook({
          waiting: 2,
          latestTry: tries[2] as never,
          retried: { id: 20, tries: 3, nextTryAt },
          recent: [{ id: 20, state: 'waiting' }],
        }),
      ]),
    [DELIVERIES]: () =>
      Response.json([
        makeDelivery({ id: 21, state: 'waiting', tries: [], waitsBehind: 20, endedAt: null }),
        makeDelivery({ state: 'waiting', tries, tryCount: 3, nextTryAt, endedAt: null }),
      ]),
    [MAIL]: noMail,
    'POST /api/webhooks/3/deliveries/20/send': () => Response.json(makeDelivery(), { status: 202 }),
  })
  const list = within(await screen.findByRole('list', { name: 'Tries of run.failed #229' }))
  expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/run\.failed #229try 1502 Bad Gateway300 ms$/),
    expect.stringMatching(/try 2The address did not answer within 10 seconds10\.0 s$/),
    expect.stringMatching(/try 3502 Bad Gateway400 ms$/),
  ])
  expect(screen.getByText(/One later delivery waits behind it, to keep the order\./)).toBeTruthy()
  expect(screen.getByText(/After try 8 Catenary gives up\.$/)).toBeTruthy()
  expect(screen.getAllByText('502, try 3 of 8')).not.toHaveLength(0)
  await userEvent.click(screen.getByRole('button', { name: 'Try now' }))
  await waitFor(() =>
    expect(written.map(({ key }) => key)).toEqual(['POST /api/webhooks/3/deliveries/20/send']),
  )
})

test('An endpoint is added, its secret shown once.', async () => {
  const written = open({
    [LIST]: [() => Response.json([]), () => Response.json([makeWebhook({ recent: [], latestTry: null })])],
    'POST /api/webhooks': () => Response.json({ ...makeWebhook(), secret: SECRET }, { status: 201 }),
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Add endpoint' }))
  const form = within(await screen.findByRole('dialog', { name: 'Add endpoint' }))
  await userEvent.type(form.getByLabelText('Endpoint'), 'nowhere')
  await userEvent.click(form.getByRole('button', { name: /^Add Endpoint/ }))
  expect(await form.findByText(/^Enter an http or https address/)).toBeTruthy()
  await userEvent.clear(form.getByLabelText('Endpoint'))
  await userEvent.type(form.getByLabelText('Endpoint'), 'https://hooks.example.org/a')
  await userEvent.click(form.getByRole('checkbox', { name: 'label moved' }))
  await userEvent.click(form.getByRole('checkbox', { name: 'run completed' }))
  await userEvent.click(form.getByRole('switch', { name: 'Send texts of runs' }))
  await userEvent.click(form.getByRole('button', { name: /^Add Endpoint/ }))
  expect(await screen.findByLabelText(/^Signing secret of/)).toHaveProperty('value', SECRET)
  expect(written).toEqual([
    {
      key: 'POST /api/webhooks',
      body: { url: 'https://hooks.example.org/a', events: ['run.completed', 'run.failed'], sendsTexts: true },
    },
  ])
  await userEvent.click(screen.getByRole('button', { name: 'Done' }))
  expect(await screen.findAllByText('Nothing sent yet')).not.toHaveLength(0)
  expect(screen.queryByDisplayValue(SECRET)).toBeNull()
})

test('Deliveries open with body and answer, and are sent again.', async () => {
  const written = open({
    [LIST]: () => Response.json([makeWebhook()]),
    [DELIVERIES]: () =>
      Response.json([
        makeDelivery({
          id: 22,
          state: 'failed',
          tries: [failed('2026-11-21T09:36:00.000Z', 500, 12)],
          answer: 'Oh no',
        }),
      ]),
    'POST /api/webhooks/3/deliveries/22/send': () =>
      Response.json({ error: 'This webhook is switched off. Switch it on first.' }, { status: 409 }),
  })
  await userEvent.click(await screen.findByRole('button', { name: /^https:\/\/deploy/ }))
  await userEvent.click(await screen.findByRole('button', { name: 'run.failed #229' }))
  expect(screen.getByText(/"id": 229/)).toBeTruthy()
  expect(screen.getByText('Oh no')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Send again: run.failed #229' }))
  expect(await screen.findByText('This webhook is switched off. Switch it on first.')).toBeTruthy()
  expect(written).toHaveLength(1)
})

test('one that was switched off says why, and is switched on from its menu; its secret is rotated; it is removed', async () => {
  const written = open({
    [LIST]: () => Response.json([makeWebhook({ isActive: false, offReason: 'failing' })]),
    'PATCH /api/webhooks/3': () => Response.json(makeWebhook()),
    'POST /api/webhooks/3/rotate': () => Response.json({ ...makeWebhook(), secret: SECRET }),
    'DELETE /api/webhooks/3': () => new Response(null, { status: 204 }),
  })
  expect((await screen.findAllByText('Off: no good answer for 3 days')).length).toBeGreaterThan(0)
  const choose = async (name: string) => {
    await userEvent.click(screen.getByRole('button', { name: 'More: deploy.example.org/catenary' }))
    await userEvent.click(await screen.findByRole('menuitem', { name }))
  }
  await choose('Switch on')
  await choose('Rotate secret')
  await userEvent.click(await screen.findByRole('button', { name: 'Rotate Secret' }))
  expect(await screen.findByLabelText(/^Signing secret of/)).toHaveProperty('value', SECRET)
  await userEvent.click(screen.getByRole('button', { name: 'Done' }))
  await choose('Remove')
  await userEvent.click(await screen.findByRole('button', { name: 'Remove' }))
  await waitFor(() =>
    expect(written).toEqual([
      { key: 'PATCH /api/webhooks/3', body: { isActive: true } },
      { key: 'POST /api/webhooks/3/rotate', body: undefined },
      { key: 'DELETE /api/webhooks/3', body: undefined },
    ]),
  )
})
