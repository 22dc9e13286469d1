import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { findCard, findDialog, press } from './testing/acts.ts'
import { EXECUTE } from './testing/failures.ts'
import { openApp, PROMPT } from './testing/open-app.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const field = (label: string) => screen.findByLabelText<HTMLTextAreaElement>(label)
const go = (path: string) => act(() => window.history.pushState(null, '', path))

test('What was typed for a run is there after a look at another page, until the tab is closed or the person logs out.', async () => {
  await openApp({ path: EXECUTE })
  fireEvent.change(await field('customer'), { target: { value: 'Grace' } })
  fireEvent.change(await field('tone'), { target: { value: 'dry' } })
  fireEvent.change(await field('Additional context'), { target: { value: 'Briefly.' } })
  go('/variables')
  await screen.findByRole('heading', { name: 'Variables', level: 1 })
  go(EXECUTE)
  expect((await field('customer')).value).toBe('Grace')
  expect((await field('tone')).value).toBe('dry')
  expect((await field('Additional context')).value).toBe('Briefly.')
  await screen.findByText('2 of 2 have values')

  sessionStorage.clear()
  go('/variables')
  await screen.findByRole('heading', { name: 'Variables', level: 1 })
})

test('Opening the dialog starts it afresh.', async () => {
  await openApp({})
  const execute = async () => {
    const card = await findCard(PROMPT)
    fireEvent.click(card.getByRole('button', { name: 'Execute with AI' }))
    return findDialog('Execute Prompt')
  }
  const dialog = await execute()
  fireEvent.change(await dialog.findByLabelText('customer'), { target: { value: 'Edsger' } })
  await press('Close', dialog)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const again = await execute()
  expect(((await again.findByLabelText('customer')) as HTMLTextAreaElement).value).toBe('')
})
