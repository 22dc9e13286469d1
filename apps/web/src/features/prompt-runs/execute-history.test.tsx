import type { PromptRun } from '@catenary/contracts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { toastStore } from '../../lib/toast.ts'
import { letMark } from './testing/let-mark.ts'
import {
  answer,
  earlier,
  executeButton,
  fakeServer,
  openExecutePage as open,
  reply,
  widenScreen,
} from './testing/open-execute-page.tsx'

const HISTORY = { path: '/execute/7?tab=history' }

let server: ReturnType<typeof fakeServer>
beforeEach(() => {
  server = fakeServer()
  vi.stubGlobal('fetch', server.fetch)
})
afterEach(() => {
  cleanup()
  localStorage.clear()
  vi.unstubAllGlobals()
})

const nothing = {
  ...{ variableId: null, revision: null, source: null, cachedAt: null },
  at: earlier.executedAt,
}

function makeRun(fields: Partial<PromptRun>): PromptRun {
  return { ...earlier, finishReason: 'stop', template: null, ...fields }
}

const rowOf = (id: number) => {
  const row = document.querySelector<HTMLElement>(`[data-execution-id="${id}"]`)
  if (!row) throw new Error(`There is no run ${id}`)
  return row
}
const openerOf = (id: number) => within(rowOf(id)).getByRole('button', { name: /, run #/, expanded: false })
const fieldValue = (label: string) => screen.getByLabelText<HTMLTextAreaElement>(label).value

test('The history is loaded on demand: its toggle opens it, and the address keeps it open.', async () => {
  widenScreen()
  const asked: string[] = []
  vi.stubGlobal('fetch', (path: string, init?: RequestInit) => {
    asked.push(path)
    return server.fetch(path, init)
  })
  const { history } = open()
  const toggle = screen.getByRole('button', { name: 'Execution history' })
  expect(toggle.getAttribute('aria-expanded')).toBe('false')
  expect(asked.filter((path) => path.includes('/executions'))).toEqual([])
  await userEvent.click(toggle)
  expect(await screen.findByText('Greet Grace.')).toBeTruthy()
  expect(history.at(-1)).toContain('history=open')
  await userEvent.click(toggle)
  expect(history.at(-1)).not.toContain('history')
  expect(screen.queryByText('Greet Grace.')).toBeNull()
})

test('without runs the history stays closed until it is opened', async () => {
  widenScreen()
  server.history.length = 0
  const { history } = open()
  const toggle = screen.getByRole('button', { name: 'Execution history' })
  await userEvent.click(toggle)
  expect(await screen.findByText(/^No runs yet/)).toBeTruthy()
  expect(history.at(-1)).toContain('history=open')
})

test('A row of the history says what differed, and its metrics; its buttons name the run that they belong to.', async () => {
  const resolved = {
    name: { ...nothing, type: 'none' as const, error: 'There is no variable with this name' },
  }
  const ada = { variableValues: { customer: 'Ada' }, userInput: '' }
  server.history.splice(
    0,
    1,
    makeRun({ ...ada, id: 16, resolved, aiResponse: '\n## **Hi** there\nAda' }),
    makeRun({ ...ada, id: 15, resolved, promptVersion: 3, cachedTokens: 234, savedUsd: null }),
    makeRun({ id: 14, resolved, template: 'Greet $<customer>.\nNow.' }),
    makeRun({ id: 13, resolved, template: 'Greet $<customer>.' }),
  )
  open({}, HISTORY)
  await screen.findAllByText('Greet Grace.')
  expect(rowOf(16).textContent).toMatch(/^Gemini.*Hi there/)
  expect(rowOf(15).textContent).toMatch(/customer Ada · additional context none · the text as stored/)
  expect(rowOf(15).textContent).toMatch(/v3 · without name · 0\.9 s · 388 tokens · unknown · cached 78 % · /)
  expect(rowOf(14).textContent).toMatch(/^Gemini.*the text Now\./)
  expect(rowOf(13).textContent).toMatch(
    /customer Grace · name no value · additional context Briefly\. · system prompt You are terse\. · the text edited copy/,
  )
})

test('the row of a run that was stopped before its first word says so', async () => {
  const stopped = makeRun({ id: 32, status: 'cancelled', aiResponse: '', error: null })
  server.history.splice(0, server.history.length, stopped, makeRun({}))
  open({}, HISTORY)
  expect(await screen.findByText('Stopped before its first word')).toBeTruthy()
})

test('the answer of an opened run is rendered, with a switch to the text as it came', async () => {
  server.history.splice(0, 1, makeRun({ id: 16, aiResponse: '# Hi there' }))
  open({}, HISTORY)
  await waitFor(() => rowOf(16))
  const opener = openerOf(16)
  await userEvent.click(opener)
  const answer = within(await screen.findByRole('figure', { name: 'AI response' }))
  expect(await answer.findByRole('heading', { name: 'Hi there' })).toBeTruthy()
  await userEvent.click(answer.getByRole('button', { name: 'Source' }))
  expect(answer.getByText('# Hi there')).toBeTruthy()
})

test('The details of a run say its settings in words, and show its turns; its row in the history names what differed.', async () => {
  const messages = [{ role: 'user' as const, content: 'Hello' }]
  const settings = { effort: 'high' as const, temperature: 0.2, maxTokens: 1200 }
  server.history.splice(0, 1, makeRun({ id: 16, messages, settings }), makeRun({ id: 15 }))
  open({}, HISTORY)
  await waitFor(() => rowOf(16))
  const line = 'Effort high · temperature 0.2 · at most 1,200 tokens'
  expect(rowOf(16).textContent).toContain(`turns before it User: Hello · run settings ${line}`)
  await userEvent.click(openerOf(16))
  expect(await screen.findByText(line, { selector: 'p' })).toBeTruthy()
  expect(screen.getByRole('figure', { name: 'Turns' }).textContent).toContain('User: Hello')
})

test('A run’s menu opens it, copies its answer, saves it as a test, or deletes it after a question.', async () => {
  const clipboard = userEvent.setup()
  const onSaveTest = vi.fn()
  server.history.splice(0, 1, makeRun({ id: 16 }), makeRun({ id: 15, status: 'failed', aiResponse: '' }))
  open({}, { ...HISTORY, onSaveTest })
  await waitFor(() => rowOf(16))
  const choose = async (id: number, item: string) => {
    await clipboard.click(within(rowOf(id)).getByRole('button', { name: /^More: run #/ }))
    await clipboard.click(await screen.findByRole('menuitem', { name: item }))
  }
  await choose(16, 'Copy answer')
  expect(await navigator.clipboard.readText()).toBe('Hi Grace.')
  await choose(16, 'Open')
  expect(await screen.findByRole('figure', { name: 'AI response' })).toBeTruthy()
  await choose(16, 'Close')
  expect(screen.queryByRole('figure', { name: 'AI response' })).toBeNull()
  await choose(16, 'Save as test')
  expect(onSaveTest).toHaveBeenCalledWith(16)
  await clipboard.click(within(rowOf(15)).getByRole('button', { name: /^More: run #/ }))
  expect(screen.queryByRole('menuitem', { name: 'Copy answer' })).toBeNull()
  await clipboard.keyboard('{Escape}')
  await choose(16, 'Delete this run')
  expect(server.deleted).toEqual([])
  await clipboard.click(
    within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }),
  )
  await waitFor(() => expect(server.deleted).toEqual(['/api/executions/16']))
})

test('‘Run again’ runs.', async () => {
  open({}, HISTORY)
  await userEvent.click(await screen.findByRole('button', { name: /^Run again: run #/ }))
  expect(server.runs).toMatchObject([
    {
      body: {
        model: 'gemini',
        template: 'Greet $<customer>.',
        variableValues: { customer: 'Grace' },
        userInput: 'Briefly.',
        systemPrompt: 'You are terse.',
      },
    },
  ])
  await within(answer()).findByText('With the inputs of run #11.')
  expect(screen.getByLabelText<HTMLTextAreaElement>('customer').value).toBe('')
  expect(screen.getByLabelText('tone')).toBeTruthy()
  await server.say('done', reply)
  await within(answer()).findByText('Done')
  expect(within(answer()).queryByRole('note')).toBeNull()
})

test('‘Use these values’ fills the form, moves the focus, and can be undone.', async () => {
  const { history } = open()
  await userEvent.type(screen.getByLabelText('Additional context'), 'Mine.')
  await userEvent.click(screen.getByRole('tab', { name: 'History' }))
  await userEvent.click(await screen.findByRole('button', { name: /^Use these values: run #/ }))
  expect(server.runs).toEqual([])
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('customer')))
  expect([fieldValue('customer'), fieldValue('Additional context')]).toEqual(['Grace', 'Briefly.'])
  expect(fieldValue('System prompt')).toBe('You are terse.')
  expect(screen.queryByLabelText('tone')).toBeNull()
  expect(history.at(-1)).toContain('model=gemini')
  expect(history.at(-1)).not.toContain('tab=')
  toastStore.getSnapshot()[0]?.action?.onPress()
  await waitFor(() =>
    expect([fieldValue('customer'), fieldValue('Additional context')]).toEqual(['', 'Mine.']),
  )
  await userEvent.click(executeButton())
  expect(server.runs).toMatchObject([{ body: { model: 'claude', userInput: 'Mine.' } }])
})

test('Two to four runs of the history stand side by side.', async () => {
  const { tinted } = letMark()
  server.history.splice(
    0,
    1,
    ...[5, 4, 3, 2].map((id) => makeRun({ id, variableValues: { customer: `Person ${id}` } })),
    makeRun({ id: 1, durationMs: 500, aiResponse: 'Hello Grace.' }),
  )
  const { history } = open({}, HISTORY)
  const tick = async (id: number) =>
    userEvent.click(await screen.findByRole('checkbox', { name: new RegExp(`^Compare run #${id} of `) }))
  await tick(5)
  expect(screen.getByRole('button', { name: 'Select another run to compare' })).toHaveProperty(
    'disabled',
    true,
  )
  for (const id of [4, 3, 1]) await tick(id)
  expect(screen.getByRole('checkbox', { name: /^Compare run #2 of / })).toHaveProperty('disabled', true)
  await tick(4)
  await userEvent.click(screen.getByRole('button', { name: 'Compare 3 runs' }))
  expect(history.at(-1)).toContain('compare=1%2C3%2C5')
  const dialog = within(await screen.findByRole('dialog', { name: 'Compare 3 runs' }))
  const [first, second] = await dialog.findAllByRole('listitem')
  expect(first?.textContent).toMatch(/compared against.*0\.5 s/)
  expect(second?.textContent).toMatch(/0\.9 s\+0\.4 s.*customerPerson 3.*Hi Grace\./)
  await waitFor(() => expect(tinted()).toEqual(['Hi', 'Hi']))
  await userEvent.click(dialog.getByRole('switch', { name: 'differs from Gemini' }))
  expect(tinted()).toEqual([])
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(history.at(-1)).not.toContain('compare'))
})

test('A missing value is asked for before the run, named with the answer, and kept in the history with its reason (D44).', async () => {
  const resolved = {
    customer: { ...nothing, type: 'none' as const, error: 'There is no variable with this name' },
    rates: { ...nothing, type: 'api' as const, error: 'The address answered with status 500' },
  }
  server.history.splice(0, 1, makeRun({ resolved }))
  open({}, HISTORY)
  await userEvent.click(await screen.findByText('Greet Grace.'))
  expect((await screen.findByRole('note')).textContent).toBe(
    'Sent without values for customer, rates: the references were left as written.',
  )
  const values = screen.getByRole('region', { name: 'Values' }).textContent
  expect(values).toContain('not in the libraryThere is no variable with this name')
  expect(values).toContain('Error loading content: The address answered with status 500')
})
