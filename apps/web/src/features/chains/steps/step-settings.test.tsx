import { EditorView } from '@codemirror/view'
import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query-client.ts'
import { makeChain, makeStep } from '../../../testing/make-chain.ts'
import { show } from '../testing/show.tsx'
import { stubChainApi, writesOf } from '../testing/stub-chain-api.ts'
import StepDialog from './step-dialog.tsx'

beforeEach(() => localStorage.clear())
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const counting = makeChain().steps[1] ?? makeStep()

test('a step is run with an effort, fallback models in order, stop texts and turns of its own', async () => {
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
