import type { Ask } from '@catenary/contracts'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Toaster } from '../../components/toaster.tsx'
import { TooltipProvider } from '../../components/ui/tooltip.tsx'
import { createQueryClient } from '../../lib/query-client.ts'
import { AskPage } from './ask-page.tsx'
import { AsksPage } from './asks-page.tsx'
import { makeAsk, makeListedAsk } from './testing/make-ask.ts'

const ada = { id: 1, username: 'ada', email: 'ada@example.org', role: 'user' }
let answers: Map<string, () => Response>
let sent: { key: string; body: unknown }[]

beforeEach(() => {
  sessionStorage.clear()
  window.history.replaceState(null, '', '/asks')
  sent = []
  answers = new Map([
    ['GET /api/user', () => Response.json(ada)],
    ['GET /api/asks/count', () => Response.json({ count: 1 })],
    ['GET /api/asks/7', () => Response.json(makeAsk())],
  ])
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
    const key = `${init?.method ?? 'GET'} ${path.replace(/\?.*/, '')}`
    sent.push({ key, body: typeof init?.body === 'string' ? JSON.parse(init.body) : undefined })
    return answers.get(key)?.() ?? Response.json({ error: `No answer for ${key}` }, { status: 500 })
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function show(page: React.ReactNode) {
  render(
    <QueryClientProvider client={createQueryClient()}>
      <TooltipProvider>{page}</TooltipProvider>
      <Toaster />
    </QueryClientProvider>,
  )
}
const answered = (fields: Partial<Ask> = {}) =>
  makeAsk({
    ...{
      status: 'answered',
      decision: 'approve',
      by: 'ada',
      at: '2026-11-30T09:42:00.000Z',
      canAnswer: false,
    },
    ...fields,
  })
const given = () => sent.filter(({ key }) => key === 'POST /api/asks/7/answer').map(({ body }) => body)

test('A question is answered with one press, its text changed and a reason given where that is wanted.', async () => {
  const reason = 'Shorter is better.'
  answers.set('POST /api/asks/7/answer', () =>
    Response.json(answered({ givenText: 'Sign in again.', reason })),
  )
  show(<AskPage id={7} />)
  await screen.findByRole('heading', { name: 'May this be sent?' })
  await userEvent.click(screen.getByRole('button', { name: 'Edit the text' }))
  const text = screen.getByRole('textbox', { name: 'Text' })
  expect(document.activeElement).toBe(text)
  await userEvent.clear(text)
  await userEvent.paste('Sign in again.')
  await userEvent.click(screen.getByRole('button', { name: 'Add a reason' }))
  await userEvent.paste(reason)
  await userEvent.click(screen.getByRole('button', { name: 'Approve' }))
  expect(await screen.findByText('Answered: Approve')).toBeTruthy()
  expect(given()).toEqual([{ decision: 'approve', text: 'Sign in again.', reason }])
  expect(await screen.findByText(/after 12 min/)).toBeTruthy()
  expect(screen.getByText(reason)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull()
})

test('What is typed before an answer stays while its page is left.', async () => {
  show(<AskPage id={7} />)
  await userEvent.click(await screen.findByRole('button', { name: 'Add a reason' }))
  await userEvent.paste('Not yet')
  cleanup()
  show(<AskPage id={7} />)
  expect(await screen.findByRole('textbox', { name: 'Reason' })).toHaveProperty('value', 'Not yet')
})

test('Whoever answers second is shown the first answer.', async () => {
  const details = answered({ decision: 'reject', by: 'ben', reason: 'Not like this.' })
  answers.set('POST /api/asks/7/answer', () =>
    Response.json({ error: 'It is already answered', details }, { status: 409 }),
  )
  show(<AskPage id={7} />)
  await userEvent.click(await screen.findByRole('button', { name: 'Approve' }))
  expect(await screen.findByText('ben answered first: Reject.')).toBeTruthy()
  expect(screen.getByText('Not like this.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Reject' })).toBeNull()
})

test.each<[string, Partial<Ask>, RegExp]>([
  [
    'expired',
    { decision: 'reject', at: '2026-12-01T09:30:00.000Z' },
    /^Nobody answered in time, so Reject held: the run ends as failed\./,
  ],
  [
    'expired',
    { decision: 'reject', at: '2026-11-30T09:31:00.000Z' },
    /^Nobody was left who could answer, so Reject held: the run ends as failed\./,
  ],
  [
    'withdrawn',
    { at: '2026-11-30T09:31:00.000Z' },
    /^Withdrawn .+: its run no longer waits for an answer\.$/,
  ],
  ['open', {}, /^Waiting for ada or ben\. You can’t answer this one\.$/],
] as const)('A question that nobody is asked any more says so. (%s, %o)', async (status, fields, words) => {
  answers.set('GET /api/asks/7', () =>
    Response.json(makeAsk({ status, canAnswer: false, ...fields } as Partial<Ask>)),
  )
  show(<AskPage id={7} />)
  await screen.findByRole('heading', { name: 'May this be sent?' })
  expect(
    screen.getByText((_, element) => element?.tagName === 'SPAN' && words.test(element.textContent ?? '')),
  ).toBeTruthy()
})

test('a question that is not one’s own is not here', async () => {
  answers.set('GET /api/asks/7', () => Response.json({ error: 'Not found' }, { status: 404 }))
  show(<AskPage id={7} />)
  expect(await screen.findByText('This question is not here')).toBeTruthy()
})

test('The list opens the first question that one may answer, and after an answer the next; what others are to answer for one stands below.', async () => {
  const second = makeListedAsk({ id: 8, question: 'Send the release mail?' })
  const other = makeListedAsk({
    id: 9,
    question: 'Book it?',
    runBy: 'ada',
    people: ['ben'],
    canAnswer: false,
  })
  let open = [makeListedAsk(), second, other]
  answers.set('GET /api/asks', () => Response.json(open))
  answers.set('GET /api/asks/8', () => Response.json(makeAsk(second)))
  answers.set('POST /api/asks/7/answer', () => {
    open = [second, other]
    return Response.json(answered())
  })
  show(<AsksPage />)
  const mine = within(await screen.findByRole('region', { name: 'Questions for you' }))
  const isOpen = (question: string) =>
    mine
      .getByRole('button', { name: `${question}, execution #${makeListedAsk().executionId}` })
      .getAttribute('aria-expanded')
  expect([isOpen('May this be sent?'), isOpen('Send the release mail?')]).toEqual(['true', 'false'])
  const others = within(screen.getByRole('list', { name: 'Questions for others' }))
  expect(others.getByRole('link', { name: /^Book it\?/ }).getAttribute('href')).toBe('/asks/9')
  expect(others.getByText(/^Waiting for ben, until/)).toBeTruthy()
  await userEvent.click(await mine.findByRole('button', { name: 'Approve' }))
  await waitFor(() => expect(mine.queryByRole('button', { name: /^May this be sent\?/ })).toBeNull())
  expect(isOpen('Send the release mail?')).toBe('true')
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Questions for you')
})

const unsure = (fields: Partial<Ask> = {}) =>
  makeAsk({
    question: 'Did the call of “Book it” for item 3 happen?',
    text: 'POST https://shop.example.org/orders',
    editable: false,
    people: ['ada'],
    position: 1,
    choices: [
      { id: 'happened', label: 'It happened' },
      { id: 'again', label: 'Send it again' },
    ],
    onDeadline: '',
    unsure: { item: 2, why: 'The address cut the connection' },
    ...fields,
  })
const SAY = 'POST /api/executions/218/steps/1/unsure'
const said = () => sent.filter(({ key }) => key === SAY).map(({ body }) => body)

test('Whoever runs a chain says of a call whether it happened, with the service’s answer if they have it.', async () => {
  answers.set('GET /api/asks/7', () => Response.json(unsure()))
  answers.set(SAY, () => Response.json({ error: 'The answer is not JSON' }, { status: 400 }))
  show(<AskPage id={7} />)
  expect(await screen.findByText(/cut the connection\. Nobody knows whether the call happened/)).toBeTruthy()
  expect(screen.getByText(/the run fails/)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Add the service’s answer' }))
  const field = screen.getByRole('textbox', { name: 'Answer of the service' })
  await userEvent.click(field)
  await userEvent.paste('{"id": 7')
  await userEvent.click(screen.getByRole('button', { name: 'It happened' }))
  expect(await screen.findByText('The answer is not JSON')).toBeTruthy()
  const answer = '{"id": 7}'
  answers.set(SAY, () =>
    Response.json(
      unsure({
        ...{ status: 'answered', decision: 'happened', givenText: answer, by: 'ada', canAnswer: false },
        at: '2026-11-30T09:42:00.000Z',
      }),
    ),
  )
  await userEvent.click(field)
  await userEvent.paste('}')
  await userEvent.click(screen.getByRole('button', { name: 'It happened' }))
  expect(await screen.findByText('It happened', { selector: 'strong' })).toBeTruthy()
  expect(said()).toEqual([
    { happened: true, answer: '{"id": 7', item: 2 },
    { happened: true, answer, item: 2 },
  ])
})

test('A call that did not happen is sent again with one press.', async () => {
  answers.set('GET /api/asks/7', () => Response.json(unsure({ unsure: { item: null, why: 'It ended' } })))
  answers.set(SAY, () => Response.json(unsure({ status: 'answered', decision: 'again', by: 'ada' })))
  show(<AskPage id={7} />)
  await userEvent.click(await screen.findByRole('button', { name: 'Send it again' }))
  await waitFor(() => expect(said()).toEqual([{ happened: false }]))
})

test('Who is asked sees what is sent once they have answered.', async () => {
  const calls = [{ position: 5, title: 'Book it', text: 'POST https://shop.example.org/{{a.text}}' }]
  answers.set('GET /api/asks/7', () => Response.json(makeAsk({ calls })))
  show(<AskPage id={7} />)
  const then = within(await screen.findByRole('region', { name: 'What is sent then' }))
  expect(then.getByText('Step 6: Book it')).toBeTruthy()
  expect(then.getByText(/shop\.example\.org/)).toBeTruthy()
})
