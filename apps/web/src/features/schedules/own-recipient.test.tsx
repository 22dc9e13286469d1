import type { AddressState } from '@catenary/contracts'
import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { show } from '../chains/testing/show.tsx'
import { stubChainApi } from '../chains/testing/stub-chain-api.ts'
import { ScheduleDialog } from './schedule-dialog.tsx'
import { ASKING } from './testing/mail-state.ts'

beforeEach(() => localStorage.clear())
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

async function typeOwn(ownAddressState: AddressState) {
  stubChainApi({ 'GET /api/mail': () => Response.json({ ...ASKING, ownAddressState }) })
  show(
    <ScheduleDialog
      chainId={12}
      chain={{ name: 'Monday digest', takesInput: false, releases: undefined, runVisibility: undefined }}
      schedule={null}
      timeZone="UTC"
      userId={1}
      onShowAll={() => undefined}
      onClose={() => undefined}
    />,
  )
  await screen.findByText(/anyone at corp\.example/)
  await userEvent.type(screen.getByLabelText('Email recipients'), 'ADA@example.org')
}

test.each([
  ['waiting', 'is waiting for you to confirm it'],
  ['refused', 'asked for no more email'],
] as const)('A schedule’s form says that one’s own mail waits (D61). (%s)', async (state, words) => {
  await typeOwn(state)
  expect(screen.getByRole('list', { name: 'Recipients without mail' }).textContent).toContain(
    `ADA@example.org ${words}`,
  )
  expect(screen.getByText(/^Results go at once to/).textContent).not.toContain('ada@example.org')
})

test('one’s own address that is confirmed gets results at once', async () => {
  await typeOwn('confirmed')
  expect(screen.queryByRole('list', { name: 'Recipients without mail' })).toBeNull()
  expect(screen.getByText(/^Results go at once to ada@example\.org/)).toBeTruthy()
})
