import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type ReactNode, useRef, useState } from 'react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { useShortcut } from '../../../lib/keyboard/use-shortcut.ts'
import { AlertDialog, AlertDialogCancel, AlertDialogContent, AlertDialogTitle } from '../alert-dialog.tsx'
import { Dialog, DialogContent, DialogTitle } from '../dialog.tsx'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '../dropdown-menu.tsx'
import { Popover, PopoverContent, PopoverTrigger } from '../popover.tsx'
import { Select, SelectContent, SelectItem, SelectTrigger } from '../select.tsx'
import { Sheet, SheetContent, SheetTitle } from '../sheet.tsx'

interface Opening {
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Its keys follow each other in the same turn: nothing that was put off comes in between. */
const hasty = userEvent.setup({ delay: null })
let received: string[] = []
const opener = { onKeyDown: ({ key }: { key: string }) => received.push(key) }

const layers: Record<string, (opening: Opening) => ReactNode> = {
  dialog: (opening) => (
    <Dialog {...opening}>
      <Form title="Layer" />
    </Dialog>
  ),
  'dialog that goes with its component': (opening) =>
    opening.open && (
      <Dialog {...opening}>
        <Form title="Layer" />
      </Dialog>
    ),
  drawer: (opening) => (
    <Sheet {...opening}>
      <SheetContent>
        <SheetTitle>Layer</SheetTitle>
      </SheetContent>
    </Sheet>
  ),
  question: (opening) => (
    <AlertDialog {...opening}>
      <AlertDialogContent aria-describedby={undefined}>
        <AlertDialogTitle>Layer</AlertDialogTitle>
        <AlertDialogCancel>Cancel</AlertDialogCancel>
      </AlertDialogContent>
    </AlertDialog>
  ),
  menu: (opening) => <Menu {...opening} />,
  list: (opening) => (
    <Select {...opening}>
      <SelectTrigger aria-label="Open" {...opener} />
      <SelectContent>
        <SelectItem value="choice">Choice</SelectItem>
      </SelectContent>
    </Select>
  ),
  popover: (opening) => (
    <Popover {...opening} modal>
      <PopoverTrigger {...opener}>Open</PopoverTrigger>
      <PopoverContent>
        <input aria-label="Search" />
      </PopoverContent>
    </Popover>
  ),
}
const withTrigger = ['menu', 'list', 'popover']

function Layer({ name }: { name: string }) {
  const [open, onOpenChange] = useState(false)
  return (
    <>
      {!withTrigger.includes(name) && <Opener onOpen={() => onOpenChange(true)} />}
      {layers[name]?.({ open, onOpenChange })}
    </>
  )
}

function Opener({ onOpen }: { onOpen: () => void }) {
  return (
    <button type="button" {...opener} onClick={onOpen}>
      Open
    </button>
  )
}

function Form({ title, onLeave }: { title: string; onLeave?: () => void }) {
  return (
    <DialogContent>
      <DialogTitle>{title}</DialogTitle>
      <input aria-label={`Field of ${title}`} />
      <button type="button" onClick={onLeave}>
        Leave {title}
      </button>
    </DialogContent>
  )
}

function Menu({ onSelect, ...opening }: Partial<Opening> & { onSelect?: () => void }) {
  return (
    <DropdownMenu {...opening}>
      <DropdownMenuTrigger>
        <button type="button" {...opener}>
          Open
        </button>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        <DropdownMenuItem onSelect={onSelect}>Choice</DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  )
}

beforeEach(() => {
  received = []
})
afterEach(() => {
  cleanup()
  document.head.innerHTML = ''
})

const openerOf = (name: string) => screen.getByRole(name === 'list' ? 'combobox' : 'button', { name: 'Open' })

async function open(name: string) {
  openerOf(name).focus()
  await userEvent.keyboard('{Enter}')
  await isOpen()
}

async function isOpen() {
  await waitFor(() => expect(document.activeElement?.closest('[data-state=open]:not(button)')).toBeTruthy())
  received = []
}

/** Lets everything happen that was put off. */
const later = () => new Promise((resolve) => setTimeout(resolve, 20))

test.each(Object.keys(layers))('a key pressed while a %s is closing reaches what opened it', async (name) => {
  render(<Layer name={name} />)
  await open(name)
  await hasty.keyboard('{Escape}e')
  expect(received).toEqual(['e'])
  await later()
  await userEvent.keyboard('e')
  expect(received).toEqual(['e', 'e'])
})

test.each(['dialog', 'drawer', 'question'])('so does one while a %s is still fading out', async (name) => {
  document.head.innerHTML = '<style>[data-state="closed"] { animation-name: sink }</style>'
  render(<Layer name={name} />)
  await open(name)
  await hasty.keyboard('{Escape}e')
  expect(document.querySelector('[data-state="closed"]')).toBeTruthy()
  expect(received).toEqual(['e'])
})

test.each(['menu', 'popover'])('a %s opened by the mouse gives the focus to its button', async (name) => {
  render(
    <>
      <input aria-label="Field" />
      <Layer name={name} />
    </>,
  )
  screen.getByLabelText('Field').focus()
  await userEvent.click(openerOf(name))
  await isOpen()
  await hasty.keyboard('{Escape}e')
  expect(received).toEqual(['e'])
})

test('where the focus went meanwhile, it stays', async () => {
  function Page() {
    const field = useRef<HTMLInputElement>(null)
    useShortcut({ id: 'search', onPress: () => field.current?.focus() })
    return <input ref={field} aria-label="Field" />
  }
  render(
    <>
      <Layer name="menu" />
      <Page />
    </>,
  )
  await open('menu')
  await hasty.keyboard('{Escape}/')
  await later()
  expect(document.activeElement).toBe(screen.getByLabelText('Field'))
})

test('where what opened a dialog goes afterwards, the page has the focus', async () => {
  function Page({ isFilled }: { isFilled: boolean }) {
    const [isOpen, setIsOpen] = useState(false)
    return (
      <main tabIndex={-1}>
        {!isFilled && <Opener onOpen={() => setIsOpen(true)} />}
        <Dialog open={isOpen} onOpenChange={setIsOpen}>
          <Form title="Layer" onLeave={() => setIsOpen(false)} />
        </Dialog>
      </main>
    )
  }
  const { rerender } = render(<Page isFilled={false} />)
  await open('dialog')
  await userEvent.click(screen.getByRole('button', { name: 'Leave Layer' }))
  await waitFor(() => expect(document.activeElement).toBe(openerOf('dialog')))
  rerender(<Page isFilled />)
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')))
})

test('a dialog that a menu opened gives the focus back to the menu’s button', async () => {
  function Page() {
    const [isOpen, setIsOpen] = useState(false)
    return (
      <>
        <Menu onSelect={() => setIsOpen(true)} />
        <Dialog open={isOpen} onOpenChange={setIsOpen}>
          <Form title="Layer" />
        </Dialog>
      </>
    )
  }
  render(<Page />)
  await open('menu')
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Field of Layer')))
  received = []
  await hasty.keyboard('{Escape}e')
  expect(received).toEqual(['e'])
})

test('a dialog that takes another’s place returns the focus to what opened the other', async () => {
  function Page() {
    const [shown, setShown] = useState<'none' | 'first' | 'second'>('none')
    const close = () => setShown('none')
    return (
      <>
        <Opener onOpen={() => setShown('first')} />
        {shown !== 'none' && (
          <Dialog key={shown} open onOpenChange={close}>
            <Form title={shown} onLeave={() => setShown('second')} />
          </Dialog>
        )}
      </>
    )
  }
  render(<Page />)
  await open('menu')
  await userEvent.click(screen.getByRole('button', { name: 'Leave first' }))
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Field of second')))
  await later()
  expect(document.activeElement).toBe(screen.getByLabelText('Field of second'))
  await hasty.keyboard('{Escape}e')
  expect(received).toEqual(['e'])
})

test('a menu inside a dialog gives the focus back to its button, not to the dialog', async () => {
  render(
    <Dialog open>
      <DialogContent>
        <DialogTitle>Layer</DialogTitle>
        <Menu />
      </DialogContent>
    </Dialog>,
  )
  await open('menu')
  await hasty.keyboard('{Enter}e')
  expect(received).toEqual(['e'])
})
