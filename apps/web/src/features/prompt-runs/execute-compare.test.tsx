import type { Prompt, SavePromptRequest } from '@catenary/contracts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { letMark } from './testing/let-mark.ts'
import {
  answer,
  executeButton,
  fakeServer,
  openExecutePage as open,
  reply,
} from './testing/open-execute-page.tsx'

const THREE = { path: '/execute/7?with=openai,gemini' }
const PRICE = { inputPerMillionUsd: 2, outputPerMillionUsd: 10 }

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

const column = async (name: string) => within(answer()).findByRole('listitem', { name })
const models = () => server.runs.map(({ body }) => (body as { model: string }).model)

test('One press runs up to six models, chosen as chips.', async () => {
  const { history } = open()
  for (const [way, name] of [
    ['compare with…', 'GPT-4o'],
    ['Add a model', 'Claude'],
  ]) {
    await userEvent.click(screen.getByRole('button', { name: way }))
    await userEvent.click(await screen.findByRole('menuitem', { name }))
  }
  expect(screen.getByText('3 of 6')).toBeTruthy()
  expect(history.at(-1)).toContain('with=openai%2Cclaude')
  expect(executeButton().textContent).toMatch(/^Execute 3 without customer/)
  await userEvent.click(executeButton())
  expect(models()).toEqual(['claude', 'openai', 'claude'])
  expect(executeButton().textContent).toContain('Executing 3…')
  expect((await column('Claude (2)')).textContent).toContain('Writing')
  expect(within(answer()).getByRole('status').textContent).toBe('3 writing')
  await userEvent.click(screen.getByRole('tab', { name: 'Prompt' }))
  await userEvent.click(screen.getByRole('button', { name: 'Remove Claude (2)' }))
  expect(history.at(-1)).toContain('with=openai')
})

test('six at most: with them there is no way to add another', () => {
  open({}, { path: '/execute/7?with=openai,openai,openai,openai,openai,openai' })
  expect(screen.getByText('6 of 6')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Add a model' })).toBeNull()
})

test('Their columns stream together, each with state, model id, time, tokens and cost, and end with a summary.', async () => {
  const { tinted } = letMark()
  open({}, THREE)
  await userEvent.click(executeButton())
  for (const place of [0, 1, 2]) await server.say('start', { executionId: 21 + place, price: PRICE }, place)
  await server.say('delta', { text: 'Dear Ada, a warm welcome.' }, 1)
  const cached = { cachedTokens: 8, savedUsd: 0.011 }
  await server.say('done', { ...reply, executionId: 21, ...cached }, 0)
  await server.say('error', { error: 'OpenAI closed the stream after 131 tokens.', executionId: 22 }, 1)
  await server.say('delta', { text: 'Dear Ada, hello.' }, 2)
  expect((await column('Claude')).textContent).toMatch(
    /compared against.*Done.*claude-test.*1\.8 s.*15 tokens.*\$0\.0027.*cached \d+ %, saved \$0\.011/,
  )
  const writing = await column('Gemini')
  await waitFor(() => expect(writing.textContent).toMatch(/Writing.*~\d+ tokens.*(<\$0\.0001|~\$0\.0)/))
  const failed = await column('GPT-4o')
  expect(within(failed).getByRole('alert').textContent).toContain(
    'OpenAI closed the stream after 131 tokens.',
  )
  expect(failed.textContent).not.toContain('cached')
  expect(failed.textContent).toContain('The text is kept. Running again starts over and costs again.')
  expect(within(answer()).getByText('1 done, 1 writing, 1 failed')).toBeTruthy()
  expect(answer().textContent).toMatch(/\$0\.00\d+ so far/)
  await waitFor(() => expect(tinted()).toEqual(['a warm', 'hello']))
  await userEvent.click(screen.getByRole('switch', { name: 'differs from Claude' }))
  expect(tinted()).toEqual([])
})

test('Each column can be stopped, run again, or given another model. Stop stops all.', async () => {
  open({}, THREE)
  await userEvent.click(executeButton())
  await userEvent.click(within(await column('GPT-4o')).getByRole('button', { name: 'Stop GPT-4o' }))
  expect(server.runs.map(({ signal }) => signal?.aborted)).toEqual([false, true, false])
  const stopped = within(await column('GPT-4o'))
  await stopped.findByText('Stopped before the first word.')
  await userEvent.click(stopped.getByRole('button', { name: 'More: GPT-4o' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Run again' }))
  expect(models()).toEqual(['claude', 'openai', 'gemini', 'openai'])
  await server.say('error', { error: 'The quota is used up (429).' }, 2)
  const failed = within(await column('Gemini'))
  await userEvent.click(await failed.findByRole('button', { name: 'Other model' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Claude' }))
  expect(models().at(-1)).toBe('claude')
  await column('Claude (2)')
  await userEvent.click(screen.getByRole('button', { name: /^Stop(Esc)?$/ }))
  expect(server.runs.map(({ signal }) => signal?.aborted)).toEqual([true, true, false, true, true])
})

test('versions run side by side: the stored one by its number, the current one as it is', async () => {
  open({ canEdit: true, version: 3 })
  await userEvent.click(screen.getByRole('button', { name: 'compare with…' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Version 2' }))
  await userEvent.click(executeButton())
  expect(server.runs.map(({ body }) => body)).toMatchObject([{ model: 'claude' }, { promptVersion: 2 }])
  expect(server.runs[0]?.body).not.toHaveProperty('promptVersion')
  for (const name of ['Version 3', 'Version 2']) await column(name)
})

/** Takes the notes of what is saved. */
function keepSaves() {
  const saved: SavePromptRequest[] = []
  const onSave = async (body: SavePromptRequest) => {
    saved.push(body)
    return {} as Prompt
  }
  return { saved, onSave }
}

test('Two versions can be compared, or the edited copy with the saved text; what ran can be saved from its column.', async () => {
  const { saved, onSave } = keepSaves()
  open({}, { onSave, path: '/execute/7?tab=history' })
  await userEvent.click(await screen.findByRole('button', { name: /^Use these values: run #/ }))
  await userEvent.click(await screen.findByRole('button', { name: 'compare with…' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Version 3' }))
  await userEvent.click(executeButton())
  expect(server.runs.map(({ body }) => body)).toMatchObject([{ template: 'Greet $<customer>.' }, {}])
  expect(server.runs[1]?.body).not.toHaveProperty('template')
  await column('Version 3')
  await server.say('done', reply, 0)
  await userEvent.click(await screen.findByRole('button', { name: 'More: Edited copy' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Save as version 4' }))
  expect(saved).toMatchObject([{ content: 'Greet $<customer>.' }])
})

test('an older version is kept from its column with its whole text', async () => {
  const { saved, onSave } = keepSaves()
  open({}, { onSave, path: '/execute/7?texts=copy,2' })
  await userEvent.click(executeButton())
  await server.say('done', { ...reply, executionId: 21 }, 1)
  await userEvent.click(await screen.findByRole('button', { name: 'More: Version 2' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Save as version 4' }))
  await waitFor(() => expect(saved).toMatchObject([{ content: 'Text of version 2' }]))
})

test('an answer is rated with a thumb and a note, and made a test of', async () => {
  const onSaveTest = vi.fn()
  open({}, { ...THREE, onSaveTest })
  await userEvent.click(executeButton())
  await server.say('done', { ...reply, executionId: 21 }, 0)
  const done = within(await column('Claude'))
  const up = await done.findByRole('button', { name: 'Good answer' })
  await waitFor(() => expect(up).toHaveProperty('disabled', false))
  await userEvent.click(up)
  await waitFor(() => expect(up.getAttribute('aria-pressed')).toBe('true'))
  await userEvent.type(done.getByLabelText('Note on the answer'), 'Best opening{Enter}')
  await waitFor(() =>
    expect(server.ratings.map(({ body }) => body)).toEqual([
      { thumb: 'up', note: '' },
      { thumb: 'up', note: 'Best opening' },
    ]),
  )
  await userEvent.click(up)
  await userEvent.clear(done.getByLabelText('Note on the answer'))
  await userEvent.tab()
  await waitFor(() =>
    expect(server.ratings.at(-1)).toMatchObject({ method: 'DELETE', path: '/api/executions/21/rating' }),
  )
  await userEvent.click(done.getByRole('button', { name: 'More: Claude' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Save as test' }))
  expect(onSaveTest).toHaveBeenCalledWith(21)
})

test('The history shows ratings and filters by them.', async () => {
  const [first] = server.history
  if (first) server.history.push({ ...first, id: 10, rating: { thumb: 'up', note: 'Short and kind' } })
  const { history } = open({}, { path: '/execute/7?tab=history' })
  expect(await screen.findByText('Short and kind')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'More: history' }))
  await userEvent.click(await screen.findByRole('menuitemradio', { name: 'Rated up' }))
  expect(history.at(-1)).toContain('rated=up')
  await waitFor(() => expect(document.querySelectorAll('[data-execution-id]')).toHaveLength(1))
})

test('what others think of one’s own run is in its entry', async () => {
  server.contents.set('/api/executions/11/ratings', [
    { thumb: 'down', note: 'Too long', username: 'Edda', ratedAt: '2026-11-02T00:00:00.000Z' },
  ])
  open({}, { path: '/execute/7?tab=history' })
  await userEvent.click(await screen.findByText('Greet Grace.'))
  const list = await screen.findByRole('list', { name: 'Other people’s ratings' })
  expect(list.textContent).toBe('EddaRated downToo long')
})
