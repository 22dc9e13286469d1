import type { Prompt } from '@catenary/contracts'
import { EditorView } from '@codemirror/view'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query-client.ts'
import { makeChain, makeStep } from '../../../testing/make-chain.ts'
import { makePrompt } from '../../../testing/make-prompt.ts'
import { show } from '../testing/show.tsx'
import { stubChainApi, writesOf } from '../testing/stub-chain-api.ts'
import StepDialog from './step-dialog.tsx'

beforeEach(() => localStorage.clear())
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const counting = makeChain().steps[1] ?? makeStep()

test('A step’s form also sets effort, fallback models in order, stop texts and turns.', async () => {
  const sent = stubChainApi({ 'PATCH /api/chains/12/steps/2': () => Response.json(counting) })
  const step = { ...counting, fallbackModel: 'openai', moreFallbackModels: ['gemini'], stop: ['END'] }
  show(
    <StepDialog chain={makeChain()} step={step} userId={1} onClose={() => undefined} />,
    createQueryClient(),
  )
  await screen.findByRole('textbox', { name: 'Content' })
  const dialog = within(screen.getByRole('dialog'))
  expect(dialog.getByRole('combobox', { name: 'Fallback model 2' }).textContent).toBe('Gemini')
  await userEvent.click(dialog.getByRole('button', { name: 'Move fallback model 2 up' }))
  await userEvent.click(dialog.getByRole('radio', { name: 'Low' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Add turn' }))
  const turn = dialog.getByRole('textbox', { name: 'Turn 1' })
  EditorView.findFromDOM(turn)?.dispatch({ changes: { from: 0, insert: 'About {{tickets}}.' } })
  await userEvent.click(dialog.getByRole('button', { name: /Save Changes/ }))
  expect(await screen.findByText('Step updated')).toBeTruthy()
  expect(writesOf(sent)[0]?.body).toMatchObject({
    fallbackModel: 'gemini',
    moreFallbackModels: ['openai'],
    effort: 'low',
    stop: ['END'],
    messages: [{ role: 'user', content: 'About {{tickets}}.' }],
  })
})

test('A step’s form checks the step’s own schema, and the linked prompt’s system prompt and turns where the step has none.', async () => {
  const said = { systemPrompt: 'Be $<nobody>.', messages: [{ role: 'user', content: 'See {{later}}.' }] }
  stubChainApi({
    'GET /api/prompts/7': () => Response.json(makePrompt({ id: 7, ...said } as Partial<Prompt>)),
    'GET /api/variables': () => Response.json([]),
  })
  const linkedPrompt = { id: 7, title: 'Count', content: 'Count.', version: 2 }
  const step = { ...counting, promptId: 7, linkedPrompt }
  show(
    <StepDialog chain={makeChain()} step={step} userId={1} onClose={() => undefined} />,
    createQueryClient(),
  )
  const warnings = await screen.findByRole('status', { name: 'Warnings' })
  await waitFor(() => {
    expect(warnings.textContent).toContain('There is no variable $<nobody>, so it stays as written.')
    expect(warnings.textContent).toContain('No step produces {{later}}, so it stays as written.')
  })
  const turn = screen.getByRole('button', { name: 'Add turn' })
  await userEvent.click(turn)
  await waitFor(() => expect(warnings.textContent).not.toContain('{{later}}'))
})

test('a step that answers in JSON lets later steps take its fields while it is edited', async () => {
  stubChainApi({ 'GET /api/variables': () => Response.json([]) })
  const schema = { type: 'object', properties: { total: { type: 'number' } } }
  const first = makeStep({ id: 1, outputVariableName: 'counts', output: { type: 'json', schema } })
  const last = makeStep({ id: 2, content: '{{counts.total}} of {{counts.totl}}' })
  const chain = makeChain({ steps: [first, last] })
  show(<StepDialog chain={chain} step={first} userId={1} onClose={() => undefined} />, createQueryClient())
  await screen.findByRole('textbox', { name: 'Content' })
  expect(screen.queryByText(/No step uses its output/)).toBeNull()
})
