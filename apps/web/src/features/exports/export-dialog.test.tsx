import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { TooltipProvider } from '../../components/ui/tooltip.tsx'
import ExportDialog from './export-dialog.tsx'

afterEach(cleanup)

function open() {
  render(
    <TooltipProvider>
      <ExportDialog onClose={vi.fn()} />
    </TooltipProvider>,
  )
}

const address = (name: string) => screen.getByRole('link', { name }).getAttribute('href')

test('form and extent are in what is downloaded', async () => {
  open()
  expect(address('Download')).toBe('/api/export?format=folder&ownership=mine')
  await userEvent.click(screen.getByRole('radio', { name: 'All I can see' }))
  await userEvent.click(screen.getByRole('radio', { name: /^Langfuse/ }))
  expect(address('Download')).toBe('/api/export?format=langfuse&ownership=all')
  expect(screen.getByText('Langfuse example')).toBeTruthy()
  expect(screen.queryByText('Keep it in Git')).toBeNull()
})

test('Export is a dialog that the library and the palette open; it leads to a folder token.', () => {
  open()
  expect(screen.getByText(/catenary pull/)).toBeTruthy()
  expect(address('Create folder token')).toBe('/connect?token=new&of=folder')
})
