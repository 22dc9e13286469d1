import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../lib/query-client.ts'
import { AccountDialogsContext } from './account-dialogs-provider.tsx'
import { useAuthGate } from './auth-gate.tsx'

const ADA = { id: 1, username: 'ada', email: 'ada@example.org', role: 'user' }

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function NewPrompt({ onPress }: { onPress: () => void }) {
  const guard = useAuthGate()
  return (
    <button type="button" onClick={() => guard(onPress)}>
      New prompt
    </button>
  )
}

test.each([
  { who: 'a signed-in person', reply: () => Response.json(ADA), outcome: 'acted' },
  { who: 'a guest', reply: () => Response.json(null, { status: 401 }), outcome: 'was asked to log in' },
])('what $who presses before the session has loaded waits for it', async ({ reply, outcome }) => {
  const session = Promise.withResolvers<Response>()
  vi.stubGlobal('fetch', () => session.promise)
  const seen: string[] = []
  render(
    <QueryClientProvider client={createQueryClient()}>
      <AccountDialogsContext value={{ open: () => seen.push('was asked to log in') }}>
        <NewPrompt onPress={() => seen.push('acted')} />
      </AccountDialogsContext>
    </QueryClientProvider>,
  )
  await userEvent.click(screen.getByRole('button'))
  expect(seen).toEqual([])
  session.resolve(reply())
  await vi.waitFor(() => expect(seen).toEqual([outcome]))
  await userEvent.click(screen.getByRole('button'))
  expect(seen).toEqual([outcome, outcome])
})
