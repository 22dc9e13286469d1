import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { TooltipProvider } from '../../components/ui/tooltip.tsx'
import { createQueryClient } from '../../lib/query-client.ts'
import { makePrompt } from '../../testing/make-prompt.ts'
import type { OutputInput } from '../model-settings/output/output-value.ts'
import { settingsOf } from '../model-settings/settings-value.ts'
import { trialOf } from '../model-settings/trial.ts'
import { executeButton, fakeServer, makeTone, openExecutePage } from './testing/open-execute-page.tsx'
import TrialPanel from './trial-panel.tsx'

let server = fakeServer()

beforeEach(() => {
  server = fakeServer()
  vi.stubGlobal('fetch', server.fetch)
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const stored = makePrompt({ content: 'Sort it.', effort: 'low', systemPrompt: 'Be brief.' })

/** The panel beside a form in which these settings are filled in, and not saved. */
function openTrial(change: Partial<ReturnType<typeof settingsOf>>, output: OutputInput = { type: 'text' }) {
  const values = { ...settingsOf(stored), content: stored.content, model: 'gemini', output, ...change }
  const { hook, searchHook } = memoryLocation({ path: '/edit/7' })
  render(
    <Router hook={hook} searchHook={searchHook}>
      <QueryClientProvider client={createQueryClient()}>
        <TooltipProvider>
          <TrialPanel
            prompt={stored}
            trial={trialOf({ values, stored, tokensLabel: 'Max tokens' })}
            variables={[makeTone()]}
            model={null}
            onModelChange={() => undefined}
          />
        </TooltipProvider>
      </QueryClientProvider>
    </Router>,
  )
}

test('A trial in the editor runs with the settings that it shows.', async () => {
  openTrial({
    effort: 'high',
    temperature: '0.5',
    maxTokens: '300',
    stop: ['END'],
    systemPrompt: 'In a $<tone> voice.',
    messages: [{ id: '0', role: 'user', content: 'Hello' }],
  })
  expect(screen.getByRole('region', { name: 'Settings of the run' }).textContent).toBe(
    'Effort high · temperature 0.5 · at most 300 tokens · 1 stop text · 1 earlier turn',
  )
  expect(await screen.findByLabelText('tone')).toHaveProperty('value', 'warm')
  await userEvent.click(executeButton())
  await waitFor(() => expect(server.runs).toHaveLength(1))
  expect(server.runs[0]?.body).toMatchObject({
    model: 'gemini',
    effort: 'high',
    temperature: 0.5,
    maxTokens: 300,
    stop: ['END'],
    systemPrompt: 'In a $<tone> voice.',
    messages: [{ role: 'user', content: 'Hello' }],
  })
})

test('a setting that can’t be is said instead of run; what a run takes as saved is named', () => {
  openTrial({ temperature: '3' }, { type: 'json', unfinished: '{' })
  expect(screen.getByText('Temperature must be a number from 0 to 2.')).toBeTruthy()
  expect(executeButton().disabled).toBe(true)
  expect(screen.getByText('Until you save, runs use the output as last saved.')).toBeTruthy()
})

test('The execute form runs with the settings that it shows.', async () => {
  openExecutePage({ model: 'gemini', systemPrompt: 'Be brief.', effort: 'low' })
  expect(screen.getByRole('button', { name: 'Model: Gemini' })).toBeTruthy()
  expect(screen.getByLabelText('System prompt')).toHaveProperty('value', 'Be brief.')
  expect(screen.getByText('Effort low')).toBeTruthy()
  await userEvent.click(executeButton())
  await waitFor(() => expect(server.runs).toHaveLength(1))
  expect(server.runs[0]?.body).toEqual({ promptId: 7, model: 'gemini', goesOn: true })
})
