import type { MailState } from '@catenary/contracts'
import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { show } from '../chains/testing/show.tsx'
import { stubChainApi, writesOf } from '../chains/testing/stub-chain-api.ts'
import ProfilePanel from './profile-panel.tsx'

const MAIL: MailState = {
  ...{ isSetUp: true, recipients: 'confirmed', domains: [] },
  ...{ ownAddress: 'ada@example.org', ownAddressState: 'waiting' },
}
const SEND = 'POST /api/mail/confirmation'

beforeEach(() => localStorage.clear())
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function open(mail: Partial<MailState>, answers: Parameters<typeof stubChainApi>[0] = {}) {
  const sent = stubChainApi({ 'GET /api/mail': () => Response.json({ ...MAIL, ...mail }), ...answers })
  show(<ProfilePanel />)
  return sent
}

test.each([
  [{ ownAddressState: 'confirmed' }, 'Confirmed'],
  [{ ownAddressState: 'refused' }, 'Refused'],
  [{ isSetUp: false, ownAddressState: null }, 'Mail is not set up on this server.'],
] as const)('with %o it says %s, and there is nothing to send', async (mail, text) => {
  open(mail)
  expect(await screen.findByText(text)).toBeTruthy()
  expect(screen.getByText('ada@example.org')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Send again' })).toBeNull()
})

test('Settings say whether the person’s address is confirmed, and send the mail again (D61).', async () => {
  const sent = open({}, { [SEND]: () => Response.json({ ...MAIL, ownAddressState: 'confirmed' }) })
  expect(await screen.findByText('Not confirmed')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Send again' }))
  expect(await screen.findByText('Follow the link in the email to ada@example.org.')).toBeTruthy()
  expect(await screen.findByText('Confirmed')).toBeTruthy()
  expect(writesOf(sent).map(({ key }) => key)).toEqual([SEND])
})
