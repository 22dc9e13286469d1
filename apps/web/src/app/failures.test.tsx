import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { logStore } from '../lib/diagnostics.ts'
import { findCard, findDialog, press, write } from './testing/acts.ts'
import { addInline, EXECUTE, failures } from './testing/failures.ts'
import { type Fault, openApp, PROMPT } from './testing/open-app.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** Waits until exactly this toast is seen, to the letter. */
async function expectToast([title, description]: readonly [string, string]): Promise<void> {
  await waitFor(() => {
    const parts = document.querySelectorAll('li[data-swipe-direction][data-state=open] > div > div')
    expect([...parts].map(({ textContent }) => textContent)).toEqual([title, description])
  })
}

test.each(Object.keys(failures))(
  'What fails says so in a toast, with the server’s reason. (%s)',
  async (name) => {
    const failure = failures[name]
    if (failure === undefined) throw new Error(name)
    const calls = await openApp({ path: failure.path, failing: failure })
    await failure.act()
    await expectToast(failure.toast)
    const { fault } = failure
    // What was cut may not have arrived; a session may be back by now.
    const isRepeated = typeof fault === 'string' ? fault === 'cut' : fault.status === 401
    expect(calls()).toBe(isRepeated ? 2 : 1)
  },
)

test('a write that never gets an answer is tried twice, then reported', async () => {
  const calls = await openApp({ failing: { call: 'POST /api/categories', fault: 'silence' } })
  vi.useFakeTimers({ shouldAdvanceTime: true })
  await addInline({ button: 'Add Category', field: 'New category' })
  await waitFor(() => expect(calls()).toBe(1))
  await vi.advanceTimersByTimeAsync(21_000)
  expect(calls()).toBe(2)
  await vi.advanceTimersByTimeAsync(20_000)
  await expectToast(['Error', 'Failed to create category: Request timeout: no answer within 20 seconds'])
})

const boom: Fault = { status: 500, json: { error: 'boom' } }
const wordless: Fault = { status: 500 }
const withReason: Fault = { status: 503, json: { error: 'Closed today' } }

test.each([
  {
    what: 'logging in',
    button: 'Log in',
    dialog: 'Log in',
    submit: /^Log in/,
    call: 'POST /api/login',
    title: 'Login failed',
    fields: { Username: 'ada', Password: 'secret1' },
  },
  {
    what: 'registering',
    button: 'Register',
    dialog: 'Create an account',
    submit: /^Create account/,
    call: 'POST /api/register',
    title: 'Registration failed',
    fields: { Username: 'grace', Email: 'g@example.org', Password: 'secret1', 'Confirm password': 'secret1' },
  },
])(
  'A failed login or registration shows a red banner with the message or ‘An unknown error occurred’, and a toast, ‘Login failed’ or ‘Registration failed’. ($what)',
  async (form) => {
    for (const [fault, banner, toast] of [
      [withReason, 'Closed today', 'Closed today'],
      [wordless, 'An unknown error occurred', form.title],
    ] as const) {
      await openApp({ isGuest: true, failing: { call: form.call, fault } })
      await press(form.button)
      const dialog = await findDialog(form.dialog)
      for (const [label, text] of Object.entries(form.fields)) await write(label, text, dialog)
      await press(form.submit, dialog)
      expect((await dialog.findByRole('alert')).textContent).toBe(banner)
      await expectToast([form.title, toast])
    }
  },
)

test.each([
  { what: 'is online again', come: () => window.dispatchEvent(new Event('online')) },
  { what: 'is looked at again', come: () => window.dispatchEvent(new Event('focus')) },
])(
  'A 401 to the user’s request means a guest. Without an answer the page says ‘Can’t reach the server’, sends nobody away, and asks again; ‘Failed to fetch user’ is in the log (D77). ($what)',
  async ({ come }) => {
    const failing: { call: string; fault: Fault } = { call: 'GET /api/user', fault: boom }
    await openApp({ isGuest: true, path: '/variables', failing })
    expect(await screen.findByText('Can’t reach the server')).toBeTruthy()
    expect(JSON.stringify(logStore.getSnapshot())).toContain('Failed to fetch user')
    failing.call = 'none'
    act(() => void come())
    expect(await screen.findByRole('button', { name: 'Register' })).toBeTruthy()
    await waitFor(() => expect(screen.queryByText('Can’t reach the server')).toBeNull())
  },
)

test('While nobody answers who somebody is, it is asked again every ten seconds (D77).', async () => {
  const failing: { call: string; fault: Fault } = { call: 'GET /api/user', fault: 'cut' }
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const calls = await openApp({ path: EXECUTE, failing, until: 'Register' })
  expect(window.location.pathname).toBe('/execute/1')
  expect(screen.getByText('Can’t reach the server')).toBeTruthy()
  await act(() => vi.advanceTimersByTimeAsync(9_000))
  const before = calls()
  failing.call = 'none'
  await act(() => vi.advanceTimersByTimeAsync(2_000))
  expect(before).toBe(1)
  expect(await screen.findByRole('button', { name: 'Logout' })).toBeTruthy()
  expect(window.location.pathname).toBe('/execute/1')
  await screen.findByRole('heading', { name: PROMPT, level: 1 })
})

test.each([
  { what: 'debug settings', call: 'GET /api/admin/debug-mode', text: 'Failed to fetch debug settings' },
  {
    what: 'variables',
    call: 'GET /api/variables',
    text: 'There was an error loading variables. Please try again.',
  },
  { what: 'prompts', call: 'GET /api/prompts', text: 'The prompts could not be loaded' },
  { what: 'the history', call: 'GET /api/prompts/1/executions', text: 'The history could not be loaded' },
])(
  'What can’t be loaded is named in its place with the reason, and tried again there. ($what)',
  async ({ call, text }) => {
    const places: Record<string, string | undefined> = {
      'GET /api/variables': '/variables',
      'GET /api/prompts/1/executions': `${EXECUTE}?history=open`,
    }
    const path = places[call] ?? '/'
    const failing = { call, fault: boom }
    await openApp({ path, failing })
    if (call.includes('admin')) await press('Admin Settings')
    const alert = (await screen.findByText(text)).closest<HTMLElement>('[role=alert]')
    if (!alert) throw new Error('It is not announced.')
    expect(within(alert).getByText('500: boom')).toBeTruthy()
    failing.call = 'none'
    await press('Try again', within(alert))
    await waitFor(() => expect(alert.isConnected).toBe(false))
  },
)

test('A clipboard that refuses says ‘Failed to copy to clipboard’, and leaves the text to be copied by hand.', async () => {
  await openApp({})
  const card = await findCard(PROMPT)
  vi.stubGlobal('navigator', {
    ...navigator,
    clipboard: { writeText: () => Promise.reject(new DOMException('No', 'NotAllowedError')) },
  })
  fireEvent.click(card.getByRole('button', { name: 'Copy' }))
  await expectToast(['Error', 'Failed to copy to clipboard'])
  const byHand = within(await screen.findByRole('dialog', { name: 'Copy it yourself' }))
  const text = byHand.getByLabelText<HTMLTextAreaElement>('Text to copy')
  expect(text.value).toBe('Write a $<tone> welcome for $<customer>.')
  expect(text.value.slice(text.selectionStart, text.selectionEnd)).toBe(text.value)
  byHand.getByText(/^Your browser blocked copying\. The text is selected: press Ctrl C/)
  fireEvent.click(byHand.getByRole('button', { name: 'Done' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test.each(['/execute/999', '/execute/none'])(
  'A prompt that is not there shows ‘Prompt Not Found’ with Go Back. (%s)',
  async (path) => {
    await openApp({ path: '/variables' })
    await screen.findByRole('heading', { name: 'Variables', level: 1 })
    act(() => window.history.pushState(null, '', path))
    await screen.findByRole('heading', { name: 'Prompt Not Found' })
    await press('Go Back')
    await screen.findByRole('heading', { name: 'Variables', level: 1 })
  },
)
