import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { Dialog, DialogBody, DialogContent, DialogHeader, DialogTitle } from '../dialog.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const closed = vi.fn()

function open(body: ReactNode) {
  render(
    <Dialog open onOpenChange={closed}>
      <DialogContent>
        <DialogHeader actions={<button type="button">More</button>}>
          <DialogTitle>A dialog</DialogTitle>
        </DialogHeader>
        <DialogBody>{body}</DialogBody>
      </DialogContent>
    </Dialog>,
  )
}

const focused = () =>
  document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent

test('A dialog’s focus begins in the first field that wants a value, else with what the dialog is for.', () => {
  open(
    <>
      <input aria-label="filled" defaultValue="a" />
      <textarea aria-label="wanted" data-wants-value />
      <button type="button" data-first-focus>
        Execute
      </button>
    </>,
  )
  expect(focused()).toBe('wanted')
})

test('where none does, with what the dialog is for', () => {
  open(
    <>
      <input aria-label="filled" defaultValue="a" />
      <button type="button" data-first-focus>
        Execute
      </button>
    </>,
  )
  expect(focused()).toBe('Execute')
})

test('else in its first field of text, whatever stands before it', () => {
  open(
    <>
      <input type="checkbox" aria-label="ticked" />
      <input aria-label="at rest" disabled />
      <div hidden>
        <input aria-label="hidden" />
      </div>
      <input aria-label="search" />
    </>,
  )
  expect(focused()).toBe('search')
})

test('a dialog without a field keeps the focus itself, where Enter closes nothing', async () => {
  open(<p>A text to read</p>)
  expect(document.activeElement).toBe(screen.getByRole('dialog'))
  await userEvent.keyboard('{Enter} ')
  expect(closed).not.toHaveBeenCalled()
})

test('on touch too, as a field would bring up the keyboard', () => {
  vi.stubGlobal('matchMedia', () => ({ matches: true }))
  open(<input aria-label="search" />)
  expect(document.activeElement).toBe(screen.getByRole('dialog'))
})
