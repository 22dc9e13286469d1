import type { HandOver } from '@catenary/contracts'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { Toaster } from '../../../components/toaster.tsx'
import { DropdownMenu, DropdownMenuContent } from '../../../components/ui/dropdown-menu.tsx'
import { TooltipProvider } from '../../../components/ui/tooltip.tsx'
import { createQueryClient } from '../../../lib/query-client.ts'
import { OfferBar } from './offer-bar.tsx'
import { HandOverItem, OpenHandOver } from './open-hand-over.tsx'
import { OwnerLine } from './owner-line.tsx'
import OwnershipPanel from './ownership-panel.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const ana = { id: 1, username: 'ana', email: 'ana@example.org', role: 'user' }
const offer: HandOver = {
  ...{ kind: 'prompt', id: 7, title: 'Refund reply', owner: 'ana', to: 'ben', keep: 'editor' },
  ...{ offeredAt: '2026-11-29T09:00:00.000Z', endsAt: '2026-12-29T09:00:00.000Z' },
  ...{ canAccept: false, canTakeBack: true, canView: true },
}
/** To ana. */
const offered: HandOver = {
  ...offer,
  ...{ owner: 'ben', to: 'ana', canAccept: true, canTakeBack: false, canView: false },
}

type Answer = () => Response | Promise<Response>
const json = (body: unknown, status = 200) => Response.json(body, { status })
const done = () => new Response(null, { status: 204 })

interface Show {
  path?: string
  answers: Record<string, Answer | Answer[]>
}

/** Gives what it sends, and where it went. */
function show(children: ReactNode, { path = '/', answers }: Show) {
  const sent: [string, unknown][] = []
  const all: Record<string, Answer | Answer[]> = {
    'GET /api/user': () => json(ana),
    'GET /api/users/search?name=be': () => json([{ id: 2, username: 'ben' }]),
    ...answers,
  }
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    const key = `${init?.method ?? 'GET'} ${url}`
    if (!key.startsWith('GET'))
      sent.push([key, typeof init?.body === 'string' ? JSON.parse(init.body) : undefined])
    const answer = all[key]
    const next = Array.isArray(answer) ? (answer.length > 1 ? answer.shift() : answer[0]) : answer
    return (await next?.()) ?? json({ error: `No answer for ${key}` }, 500)
  })
  const { hook, searchHook, history } = memoryLocation({ path, record: true })
  render(
    <QueryClientProvider client={createQueryClient()}>
      <TooltipProvider>
        <Router hook={hook} searchHook={searchHook}>
          {children}
        </Router>
      </TooltipProvider>
      <Toaster />
    </QueryClientProvider>,
  )
  return { sent, where: () => history.at(-1) }
}

const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }))
const dialog = async (name: string | RegExp) => within(await screen.findByRole('dialog', { name }))

async function chooseBen() {
  await userEvent.type(await screen.findByPlaceholderText('Username'), 'be')
  await screen.findByRole('option', { name: 'ben' })
  await userEvent.keyboard('{Enter}')
}

const OWNER = '/api/prompts/7/owner'
const own = { owner: 'ana', handOver: null }
const line = <OwnerLine record={{ kind: 'prompt', id: 7, name: 'Refund reply' }} />

test('An owner offers what they own to a person, and says whether they can still edit it; the line then says who has to answer, and until when.', async () => {
  const { sent } = show(line, {
    answers: {
      [`GET ${OWNER}`]: [() => json(own), () => json({ ...own, handOver: offer })],
      [`POST ${OWNER}`]: () => json({ ...own, handOver: offer }),
    },
  })
  await press('Hand over…')
  const form = await dialog('Hand over prompt')
  expect((form.getByRole('button', { name: /^Offer/ }) as HTMLButtonElement).disabled).toBe(true)
  await chooseBen()
  await userEvent.click(form.getByRole('radio', { name: /^Nothing/ }))
  await userEvent.click(form.getByRole('button', { name: /^Offer to ben/ }))
  expect(await screen.findByText('“Refund reply” stays yours until ben accepts it.')).toBeTruthy()
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(await screen.findByText(/^Offered to/)).toHaveProperty(
    'textContent',
    'Offered to ben, waits for an answer until Dec 29, 2026 · Take back',
  )
  expect(sent).toEqual([[`POST ${OWNER}`, { username: 'ben', keep: 'nothing' }]])
})

test('why an offer is refused is said in its dialog, which stays', async () => {
  const refusal = { error: 'There is no account named ben' }
  show(line, {
    answers: { [`GET ${OWNER}`]: () => json(own), [`POST ${OWNER}`]: () => json(refusal, 400) },
  })
  await press('Hand over…')
  const form = await dialog('Hand over prompt')
  await chooseBen()
  await userEvent.click(form.getByRole('button', { name: /^Offer to ben/ }))
  expect((await form.findByRole('alert')).textContent).toContain('There is no account named ben')
})

test('An offer is taken back in one press, from its line and from its dialog.', async () => {
  const waiting = () => json({ ...own, handOver: offer })
  const answers = {
    [`GET ${OWNER}`]: [waiting, () => json(own)],
    [`DELETE ${OWNER}`]: done,
  }
  const fromLine = show(line, { answers: { ...answers, [`GET ${OWNER}`]: [waiting, () => json(own)] } })
  await press('Take back')
  expect(await screen.findByText('“Refund reply” stays yours.')).toBeTruthy()
  expect(await screen.findByRole('button', { name: 'Hand over…' })).toBeTruthy()
  expect(fromLine.sent).toEqual([[`DELETE ${OWNER}`, undefined]])
  cleanup()
  const fromDialog = show(<OpenHandOver kind="prompt" nameOf={() => undefined} />, {
    path: '/?hand-over=7',
    answers,
  })
  const waits = await dialog('Hand over prompt')
  expect((await waits.findByText(/is offered to/)).textContent).toBe(
    '“Refund reply” is offered to ben and waits for an answer until Dec 29, 2026.',
  )
  await userEvent.click(waits.getByRole('button', { name: /^Take back/ }))
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(fromDialog.sent).toEqual([[`DELETE ${OWNER}`, undefined]])
})

test('a variable asks nothing about what is kept', async () => {
  const path = '/api/variables/7/owner'
  const { sent } = show(<OpenHandOver kind="variable" nameOf={() => 'brand_voice'} />, {
    path: '/variables?hand-over=7',
    answers: { [`GET ${path}`]: () => json(own), [`POST ${path}`]: () => json(own) },
  })
  const form = await dialog('Hand over variable')
  expect(form.queryByRole('radio')).toBeNull()
  expect(await form.findByText(/^Its value and file go with it\./)).toBeTruthy()
  await chooseBen()
  await userEvent.click(form.getByRole('button', { name: /^Offer to ben/ }))
  await vi.waitFor(() => expect(sent).toEqual([[`POST ${path}`, { username: 'ben', keep: 'nothing' }]]))
})

test('whoever comes by an address to what they don’t own reads who can hand it over; a failed load is retried', async () => {
  show(<OpenHandOver kind="chain" nameOf={() => undefined} />, {
    path: '/chains/7?hand-over=7',
    answers: {
      'GET /api/chains/7/owner': [() => json({ error: 'Down' }, 500), () => json({ ...own, owner: 'ben' })],
    },
  })
  await press('Try again')
  expect((await screen.findByText(/^Only its owner/)).textContent).toBe(
    'Only its owner can hand it over: ben.',
  )
})

test.each([
  ['ana', 1],
  ['ben', 0],
])('the menu of a record has it for its owner alone (%s)', async (owner, count) => {
  show(
    <DropdownMenu open>
      <DropdownMenuContent>
        <HandOverItem id={7} owner={owner} />
      </DropdownMenuContent>
    </DropdownMenu>,
    { answers: {} },
  )
  await screen.findByRole('menu')
  await vi.waitFor(() => expect(screen.queryAllByRole('menuitem')).toHaveLength(count))
})

const LIST = 'GET /api/hand-overs'
const ACCEPT = `POST ${OWNER}/accept`

test('Above every page stands what is offered to a person; accepting asks once, says what comes, and opens it.', async () => {
  const { sent, where } = show(<OfferBar />, {
    path: '/usage',
    answers: {
      [LIST]: [() => json([offered, offer]), () => json([offer])],
      [ACCEPT]: () => json({ owner: 'ana', handOver: null }),
    },
  })
  const bar = await screen.findByRole('complementary', { name: 'Offers' })
  expect(bar.textContent).toContain('ben wants to make you the owner of the prompt “Refund reply”.')
  await press('Accept')
  const asked = await dialog('Accept the prompt?')
  expect(asked.getByText('ben hands over “Refund reply” to you. You become its owner.')).toBeTruthy()
  expect(asked.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'It comes with its versions, labels and shares.',
    'Private values in its texts have to be allowed again.',
    'ben can still edit it until you stop sharing it.',
  ])
  await userEvent.click(asked.getByRole('button', { name: /^Accept/ }))
  expect(await screen.findByText('You now own “Refund reply”.')).toBeTruthy()
  expect(where()).toBe('/?prompt=7')
  expect(sent).toEqual([[ACCEPT, undefined]])
  await vi.waitFor(() => expect(screen.queryByRole('complementary')).toBeNull())
})

test.each([
  [404, 'It is not offered to you', 'This offer is over. ben took it back, or it has ended.', true],
  [
    409,
    'You already have a variable named brand_voice. Rename yours first, then accept.',
    'You already have a variable named brand_voice. Rename yours first, then accept.',
    false,
  ],
])(
  'Why an offer can’t be accepted is said where it is accepted. (%i)',
  async (status, error, said, isOver) => {
    show(<OfferBar />, {
      answers: { [LIST]: [() => json([offered]), () => json([])], [ACCEPT]: () => json({ error }, status) },
    })
    await press('Accept')
    const asked = await dialog('Accept the prompt?')
    const accept = asked.getByRole('button', { name: /^Accept/ }) as HTMLButtonElement
    await userEvent.click(accept)
    expect((await asked.findByRole('alert')).textContent).toBe(said)
    expect(accept.disabled).toBe(isOver)
    await userEvent.click(asked.getByText(isOver ? 'Close' : 'Cancel', { selector: 'button' }))
    expect(screen.queryByRole('dialog')).toBeNull()
  },
)

test('An offer is declined in one press.', async () => {
  const { sent } = show(<OfferBar />, {
    answers: { [LIST]: [() => json([offered]), () => json([])], [`DELETE ${OWNER}`]: done },
  })
  await press('Decline')
  expect(await screen.findByText('“Refund reply” stays ben’s.')).toBeTruthy()
  expect(sent).toEqual([[`DELETE ${OWNER}`, undefined]])
  await vi.waitFor(() => expect(screen.queryByRole('complementary')).toBeNull())
})

test('of several offers the one of the page that is open is answered there; elsewhere a link leads to all', async () => {
  const chain: HandOver = { ...offered, kind: 'chain', id: 12, title: 'Damaged parcel' }
  const answers = { [LIST]: () => json([offered, chain]) }
  show(<OfferBar />, { answers })
  expect((await screen.findByRole('link', { name: 'See offers' })).getAttribute('href')).toBe(
    '/settings/ownership',
  )
  expect(screen.queryByRole('button', { name: 'Accept' })).toBeNull()
  for (const [path, title] of [
    ['/chains/12', 'Damaged parcel'],
    ['/execute/7', 'Refund reply'],
  ] as const) {
    cleanup()
    show(<OfferBar />, { path, answers })
    expect((await screen.findByRole('complementary')).textContent).toContain(title)
  }
  cleanup()
  show(<OfferBar />, { path: '/settings/ownership', answers })
  await new Promise((resolve) => setTimeout(resolve))
  expect(screen.queryByRole('complementary')).toBeNull()
})

test('Settings → Ownership lists what is offered to a person and what they offer, with an answer to each.', async () => {
  const mine: HandOver = { ...offer, kind: 'variable', id: 9, title: 'brand_voice', keep: 'nothing' }
  const { sent } = show(<OwnershipPanel />, {
    path: '/settings/ownership',
    answers: {
      [LIST]: [() => json({ error: 'Down' }, 500), () => json([offered, mine]), () => json([offered])],
      'DELETE /api/variables/9/owner': done,
      [`DELETE ${OWNER}`]: done,
    },
  })
  await press('Try again')
  const toMe = within(await screen.findByRole('list', { name: 'Offered to you' }))
  expect(toMe.getByText(/^Prompt from ben, who can still edit it · until/)).toBeTruthy()
  // It can’t be seen yet.
  expect(toMe.queryByRole('link')).toBeNull()
  const byMe = within(screen.getByRole('list', { name: 'Offered by you' }))
  expect(byMe.getByRole('link', { name: 'brand_voice' }).getAttribute('href')).toBe('/variables?variable=9')
  await press('Take back brand_voice')
  expect(await screen.findByText('You offer nothing to anyone.')).toBeTruthy()
  await press('Decline Refund reply')
  await vi.waitFor(() => expect(sent).toHaveLength(2))
  expect(sent.map(([key]) => key)).toEqual(['DELETE /api/variables/9/owner', `DELETE ${OWNER}`])
})
