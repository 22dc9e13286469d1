import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { toast, toastStore } from '../lib/toast.ts'
import ToastViewport from './toast-viewport.tsx'
import { Dialog, DialogContent, DialogHeader, DialogTitle } from './ui/dialog.tsx'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test('At most 1 toast shows.', () => {
  render(<ToastViewport />)
  act(() => void toast({ title: 'First' }))
  act(() => void toast({ title: 'Second', variant: 'destructive' }))
  expect(screen.queryByText('First')).toBeNull()
  expect(screen.getAllByText('Second').length).toBeGreaterThan(0)
})

test('A toast lasts 5000 ms; a dismissed one is removed after 1,000,000 ms.', async () => {
  vi.useFakeTimers()
  render(<ToastViewport />)
  act(() => void toast({ title: 'Saved' }))
  await act(() => vi.advanceTimersByTimeAsync(4_999))
  expect(toastStore.getSnapshot()).toMatchObject([{ title: 'Saved', open: true }])
  await act(() => vi.advanceTimersByTimeAsync(1))
  expect(toastStore.getSnapshot()).toMatchObject([{ title: 'Saved', open: false }])
  await act(() => vi.advanceTimersByTimeAsync(999_999))
  expect(toastStore.getSnapshot()).toMatchObject([{ title: 'Saved', open: false }])
  await act(() => vi.advanceTimersByTimeAsync(1))
  expect(toastStore.getSnapshot()).toEqual([])
})

test('a toast may ask for another duration', async () => {
  vi.useFakeTimers()
  render(<ToastViewport />)
  act(() => void toast({ title: 'Copied', duration: 1500 }))
  await act(() => vi.advanceTimersByTimeAsync(1500))
  expect(toastStore.getSnapshot()).toMatchObject([{ title: 'Copied', open: false }])
})

test('what can be done about it is a button of the toast, which closes it', async () => {
  // What jsdom lacks of a browser and toasts ask for.
  Element.prototype.hasPointerCapture = () => false
  const undo = vi.fn()
  render(<ToastViewport />)
  act(() => void toast({ title: 'Deactivated', action: { label: 'Undo', onPress: undo } }))
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
  expect(undo).toHaveBeenCalledOnce()
  expect(toastStore.getSnapshot()).toMatchObject([{ title: 'Deactivated', open: false }])
})

test('F8 moves to the toasts.', () => {
  render(<ToastViewport />)
  act(() => void toast({ title: 'Saved' }))
  act(() => void document.dispatchEvent(new KeyboardEvent('keydown', { code: 'F8', bubbles: true })))
  expect(document.activeElement?.tagName).toBe('OL')
})

function WithDialog() {
  const [isOpen, setIsOpen] = useState(true)
  return (
    <>
      <Dialog open={isOpen} onOpenChange={setIsOpen}>
        <DialogContent>
          <DialogHeader>
            <DialogTitle>Edit</DialogTitle>
          </DialogHeader>
        </DialogContent>
      </Dialog>
      <ToastViewport />
    </>
  )
}

test('Escape closes the dialog before the toast.', async () => {
  render(<WithDialog />)
  act(() => void toast({ title: 'Not saved', variant: 'destructive' }))
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(toastStore.getSnapshot()).toMatchObject([{ title: 'Not saved', open: true }])
  await userEvent.keyboard('{Escape}')
  expect(toastStore.getSnapshot()).toMatchObject([{ title: 'Not saved', open: false }])
})
