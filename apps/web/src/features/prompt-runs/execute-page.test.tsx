import type { Variable } from '@catenary/contracts'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { toastStore } from '../../lib/toast.ts'
import {
  answer,
  executeButton,
  fakeServer,
  openExecutePage as open,
  reply,
  widenScreen,
} from './testing/open-execute-page.tsx'

let server: ReturnType<typeof fakeServer>
beforeEach(() => {
  server = fakeServer()
  vi.stubGlobal('fetch', server.fetch)
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const drive = (name: string, owner: string) =>
  ({ id: 5, name, owner, type: 'googleDrive', googleDriveFileName: 'Terms', content: '' }) as Variable

test('The answer shows as it is written, with Stop, ‘Executing...’ while it runs, and Copy and its metrics at the end.', async () => {
  open()
  expect(screen.getByText('1 of 2 have values')).toBeTruthy()
  await userEvent.type(screen.getByLabelText('customer'), 'Ada')
  expect(screen.getByText('2 of 2 have values')).toBeTruthy()
  await userEvent.click(executeButton())
  expect(server.runs).toMatchObject([
    { body: { promptId: 7, model: 'claude', variableValues: { customer: 'Ada' } } },
  ])
  expect(executeButton().textContent).toContain('Executing...')
  expect(executeButton().disabled).toBe(true)
  await server.say('delta', { text: 'Dear **Ada**' })
  await waitFor(() => expect(answer().querySelector('strong')?.textContent).toBe('Ada'))
  await server.say('done', { ...reply, cachedTokens: 8, savedUsd: 0.011 })
  await within(answer()).findByText('Done')
  await waitFor(() => expect(answer().textContent).toContain('Dear Ada, welcome.'))
  expect(answer().textContent).toContain('1.8 s')
  expect(answer().textContent).toContain('15 tokens')
  expect(answer().textContent).toContain('$0.0027cached 80 %, saved $0.011')
  expect(answer().textContent).toContain('cut at the token limit')
})

test('the focus begins in the first value that is missing; with all of them there, on Execute', async () => {
  open()
  expect(document.activeElement).toBe(screen.getByLabelText('customer'))
  cleanup()
  open({ content: 'Be $<tone>.' })
  expect(document.activeElement).toBe(executeButton())
})

test('a run that waits for a rate limit says so until it goes on, how long it waited, and who answered instead', async () => {
  open()
  await userEvent.click(executeButton())
  const until = new Date(Date.now() + 60_000).toISOString()
  await server.say('wait', { waitsFor: { vendor: 'Anthropic', isOverload: false, until } })
  expect((await screen.findByText(/^Waiting for/)).textContent).toMatch(
    /^Waiting for Anthropic’s rate limit, \d+ s$/,
  )
  await server.say('wait', { waitsFor: { vendor: 'Anthropic', isOverload: true, until } })
  expect(screen.getByText(/^Waiting for/).textContent).toContain('Anthropic, which is overloaded')
  await server.say('wait', {})
  expect(screen.queryByText(/^Waiting for/)).toBeNull()
  const failed = [
    { model: 'claude', reason: 'Claude is overloaded.' },
    { model: 'openai', reason: 'The key was refused.' },
  ]
  const fallback = { model: 'gemini', reason: 'Claude is overloaded.', failed }
  await server.say('done', { ...reply, limitWaitMs: 12_000, fallback })
  await within(answer()).findByText('waited 12.0 s for the rate limit')
  expect(within(answer()).getByText(/^Answered by/).textContent).toMatch(
    /^Answered by gemini, as 2 models failed:/i,
  )
  const reasons = within(answer()).getAllByText(/: (Claude is|The key)/)
  expect(reasons.map(({ textContent }) => textContent?.replace(/^.*: /, ''))).toEqual([
    'Claude is overloaded.',
    'The key was refused.',
  ])
})

test('an own file in Google Drive that can’t be read has the way to connect it, and is fetched again after', async () => {
  const error = 'Google Drive is not connected. Connect it, then try again.'
  server.contents.set('terms', { error }).set('theirs', { error })
  open({ content: '$<terms> $<theirs>' }, { variables: [drive('terms', 'ada'), drive('theirs', 'grace')] })
  expect(await screen.findAllByText(`Error loading content: ${error}`)).toHaveLength(2)
  server.contents.set('terms', { content: 'Be fair.' })
  vi.stubGlobal('open', () => ({ focus: () => undefined }))
  await userEvent.click(await screen.findByRole('button', { name: 'Connect Google Drive' }))
  server.drive.authenticated = true
  // Coming back from the window in which it was connected.
  fireEvent.focus(window)
  await waitFor(() => expect(screen.getByLabelText<HTMLTextAreaElement>('terms').value).toBe('Be fair.'))
  expect(screen.queryByRole('button', { name: 'Connect Google Drive' })).toBeNull()
})

test('Execute is disabled while it runs.', async () => {
  open()
  await userEvent.type(
    screen.getByLabelText('Additional context'),
    'Briefly.{Control>}{Enter}{Enter}{/Control}',
  )
  expect(server.runs).toMatchObject([{ body: { promptId: 7, model: 'claude', userInput: 'Briefly.' } }])
})

test.each([
  ['the button', () => userEvent.click(screen.getByRole('button', { name: /^Stop/ })), () => {}],
  [
    'the button beside the answer',
    () => userEvent.click(screen.getByRole('button', { name: /^Stop/ })),
    widenScreen,
  ],
  ['Escape', () => userEvent.keyboard('{Escape}'), () => {}],
])('a person stops the run with %s: the request ends and what was written stays', async (_way, stop, fit) => {
  fit()
  open()
  await userEvent.click(executeButton())
  await server.say('delta', { text: 'Half an ans' })
  await stop()
  const response = screen.getByRole('region', { name: 'AI response' })
  await within(response).findByText('Stopped')
  expect(server.runs[0]?.signal?.aborted).toBe(true)
  await waitFor(() => expect(response.textContent).toContain('Half an ans'))
  expect(executeButton().disabled).toBe(false)
})

test('leaving the page stops the run', async () => {
  open()
  await userEvent.click(executeButton())
  await server.say('delta', { text: 'Half' })
  cleanup()
  expect(server.runs[0]?.signal?.aborted).toBe(true)
})

test('A failed run is named in the panel and in a toast.', async () => {
  open()
  await userEvent.click(executeButton())
  await server.say('error', {
    error: 'The quota or rate limit of Claude is used up (429).',
    details: 'model_quota',
  })
  expect((await screen.findByRole('alert')).textContent).toContain('API Quota Exceeded')
  expect(toastStore.getSnapshot()).toMatchObject([{ title: 'API Quota Exceeded', variant: 'destructive' }])
})

test('a connection that ends in mid-answer keeps the text and says so', async () => {
  open()
  await userEvent.click(executeButton())
  await server.say('delta', { text: 'Half an ans' })
  await server.hangUp()
  expect((await screen.findByRole('alert')).textContent).toContain(
    'The connection was lost before the answer was complete.',
  )
  await waitFor(() => expect(answer().textContent).toContain('Half an ans'))
})

test('Deleting one run or all of them asks first.', async () => {
  open()
  await userEvent.click(screen.getByRole('tab', { name: 'History' }))
  await userEvent.click(await screen.findByText('Greet Grace.'))
  await userEvent.click(await screen.findByRole('button', { name: /^Delete this run: run #/ }))
  expect(server.deleted).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }))
  expect(server.deleted).toEqual(['/api/executions/11'])
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  await userEvent.click(screen.getByRole('button', { name: 'More: history' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Clear history' }))
  await userEvent.click(
    within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Clear history' }),
  )
  expect(server.deleted).toEqual(['/api/executions/11', '/api/prompts/7/executions'])
})

test('The page shows title, category, Active or Inactive, the template, the inputs and the answer.', () => {
  open({ isActive: false })
  expect(executeButton().disabled).toBe(true)
  expect(screen.getByText('This prompt is inactive. Activate it to execute it.')).toBeTruthy()
})

test('Ctrl Shift Enter copies the answer, wherever the focus is.', async () => {
  widenScreen()
  const copied: string[] = []
  const clipboard = { writeText: async (text: string) => void copied.push(text) }
  Object.defineProperty(navigator, 'clipboard', { value: clipboard, configurable: true })
  open()
  await userEvent.type(screen.getByLabelText('customer'), 'Ada{Control>}{Enter}{/Control}')
  await server.say('done', reply)
  await screen.findByText('Done')
  screen.getByLabelText('customer').focus()
  await userEvent.keyboard('{Control>}{Shift>}{Enter}{/Shift}{/Control}')
  expect(copied).toEqual(['Dear Ada, welcome.'])
  expect(await screen.findByText('Copied!')).toBeTruthy()
  expect(server.runs).toHaveLength(1)
  Reflect.deleteProperty(navigator, 'clipboard')
})

test('Beside editing and saving a copy, everything that can be done with a prompt is in one menu of its page.', async () => {
  widenScreen()
  open({ canEdit: true })
  const header = within(screen.getByRole('heading', { level: 1 }).closest('header') ?? document.body)
  expect(header.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['', 'Edit', ''])
  await userEvent.click(header.getByRole('button', { name: 'More: Welcome' }))
  const items = await screen.findAllByRole('menuitem')
  expect(items.map(({ textContent }) => textContent)).toEqual(['Use in a chain', 'Versions3'])
})

test('The reference whose value is worked on is ringed in the text, and a running answer says what it goes without.', async () => {
  open()
  screen.getByLabelText('customer').focus()
  const ringed = () => [...document.querySelectorAll('.cm-ringed')].map(({ textContent }) => textContent)
  await waitFor(() => expect(ringed()).toEqual(['$<customer>']))
  screen.getByLabelText('tone').focus()
  await waitFor(() => expect(ringed()).toEqual(['$<tone>']))
  expect(screen.queryByText('Not used for this answer.')).toBeNull()
  await userEvent.click(executeButton())
  expect(screen.getAllByText('Not used for this answer.')).toHaveLength(1)
  await server.say('done', reply)
  await waitFor(() => expect(screen.queryByText('Not used for this answer.')).toBeNull())
})
