import { eachCapability } from '@catenary/contracts'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query-client.ts'
import type { RunForm } from '../run-form.ts'
import { AskedSettings } from './asked-settings.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('A run offers to leave out a setting that its model can’t do.', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => undefined))
  const client = createQueryClient()
  const capabilities = { ...eachCapability(() => true), temperature: false }
  const models = [
    {
      alias: 'claude',
      label: 'Claude',
      configured: true,
      keyVariable: '',
      modelId: 'claude-x',
      capabilities,
    },
  ]
  client.setQueryData(['instance'], { models } as never)
  const form: RunForm = {
    ...{ template: 'Hi', typed: {}, userInput: '', systemPrompt: '', messages: [] },
    settings: { temperature: 0, maxTokens: 200, stop: ['END'] },
  }
  const onTake = vi.fn()
  render(
    <QueryClientProvider client={client}>
      <AskedSettings form={form} model="claude" saved={{ form, onTake }} />
    </QueryClientProvider>,
  )
  expect(screen.getByText(/Claude doesn’t support a temperature\./)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Run without it' }))
  expect(onTake).toHaveBeenCalledWith({ messages: [], settings: { maxTokens: 200, stop: ['END'] } })
})
