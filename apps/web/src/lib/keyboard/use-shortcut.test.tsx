import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useRef } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SHORTCUTS, type ShortcutId } from './shortcuts.ts'
import { useShortcut } from './use-shortcut.ts'

const pressed: string[] = []

function Shortcut({ id, as = id }: { id: ShortcutId; as?: string }) {
  useShortcut({ id, onPress: () => pressed.push(as) })
  return null
}

/** A dialog with a shortcut of its own, and a control that handles Enter itself. */
function DialogOf({ name, state = 'open' }: { name: string; state?: string }) {
  const form = useRef<HTMLFormElement>(null)
  useShortcut({ id: 'submit', within: form, onPress: () => pressed.push(name) })
  return (
    <div role="dialog" aria-label={name} data-state={state} tabIndex={-1}>
      <form ref={form}>
        <div
          role="combobox"
          aria-label={`Picker of ${name}`}
          aria-expanded="true"
          aria-controls="none"
          tabIndex={0}
          onKeyDown={(event) => {
            event.preventDefault()
            event.stopPropagation()
          }}
        />
      </form>
      <button type="button">Outside the form of {name}</button>
    </div>
  )
}

const submit = () => userEvent.keyboard('{Control>}{Enter}{/Control}')

beforeEach(() => {
  render(
    <>
      <Shortcut id="create" />
      <Shortcut id="palette" />
      <Shortcut id="help" />
      <Shortcut id="g p" />
      <input aria-label="Search" />
      <div role="combobox" aria-label="Model" aria-expanded="false" aria-controls="none" tabIndex={0} />
    </>,
  )
})
afterEach(() => {
  cleanup()
  localStorage.clear()
  vi.unstubAllGlobals()
  vi.useRealTimers()
  pressed.length = 0
})

test('a single key works on the page, not while someone types or chooses', async () => {
  await userEvent.keyboard('n?')
  expect(pressed).toEqual(['create', 'help'])
  await userEvent.type(screen.getByLabelText('Search'), 'n')
  screen.getByLabelText('Model').focus()
  await userEvent.keyboard('n')
  expect(pressed).toEqual(['create', 'help'])
  expect(screen.getByLabelText<HTMLInputElement>('Search').value).toBe('n')
})

test('with Ctrl it works from a field, and other modifiers make another key', async () => {
  screen.getByLabelText('Search').focus()
  await userEvent.keyboard('{Control>}k{/Control}')
  expect(pressed).toEqual(['palette'])
  await userEvent.keyboard(
    '{Meta>}k{/Meta}{Control>}{Shift>}k{/Shift}{/Control}{Alt>}{Control>}k{/Control}{/Alt}',
  )
  await userEvent.click(document.body)
  await userEvent.keyboard('{Control>}n{/Control}{Alt>}n{/Alt}{Meta>}n{/Meta}{Shift>}N{/Shift}')
  expect(pressed).toEqual(['palette'])
})

test('on Apple devices it is ⌘; Ctrl stays the text field’s', async () => {
  vi.stubGlobal('navigator', { ...navigator, platform: 'MacIntel' })
  await userEvent.keyboard('{Control>}k{/Control}')
  expect(pressed).toEqual([])
  await userEvent.keyboard('{Meta>}k{/Meta}')
  expect(pressed).toEqual(['palette'])
})

test('nothing works under a dialog or a menu', async () => {
  const { unmount } = render(<div role="dialog" aria-label="Open" />)
  await userEvent.keyboard('n?gp{Control>}k{/Control}')
  expect(pressed).toEqual([])
  unmount()
  await userEvent.keyboard('n')
  expect(pressed).toEqual(['create'])
})

test('what is closing, and the completions of a text field, cover nothing', async () => {
  render(
    <>
      <div role="dialog" aria-label="Closing" data-state="closed">
        <div role="listbox" aria-label="Choices" tabIndex={-1} />
      </div>
      <div className="cm-tooltip">
        <div role="listbox" aria-label="Completions" tabIndex={-1} />
      </div>
    </>,
  )
  await userEvent.keyboard('n?gp{Control>}k{/Control}')
  expect(pressed).toEqual(['create', 'help', 'g p', 'palette'])
})

test('a dialog handles its keys wherever the focus is, before the focused element', async () => {
  render(<DialogOf name="First" />)
  expect(document.activeElement).toBe(document.body)
  await submit()
  screen.getByRole('dialog', { name: 'First' }).focus()
  await submit()
  screen.getByRole('button').focus()
  await submit()
  screen.getByLabelText('Picker of First').focus()
  await submit()
  expect(pressed).toEqual(['First', 'First', 'First', 'First'])
})

test('what opens inside a dialog is part of it; what opens over it is not, until it closes', async () => {
  const { rerender } = render(
    <>
      <DialogOf name="First" />
      <DialogOf name="Second" />
    </>,
  )
  await submit()
  rerender(
    <>
      <DialogOf name="First" />
      <DialogOf name="Second" state="closed" />
    </>,
  )
  screen.getByLabelText('Picker of Second').focus()
  await submit()
  const list = document.createElement('div')
  list.setAttribute('role', 'listbox')
  screen.getByRole('dialog', { name: 'First' }).append(list)
  await submit()
  expect(pressed).toEqual(['Second', 'First', 'First'])
})

test('two keys one after the other; another key between starts over, time ends the wait', async () => {
  await userEvent.keyboard('gp')
  expect(pressed).toEqual(['g p'])
  await userEvent.keyboard('gxp')
  await userEvent.keyboard('p')
  expect(pressed).toEqual(['g p'])
  await userEvent.keyboard('gn')
  expect(pressed).toEqual(['g p', 'create'])
  vi.useFakeTimers()
  press('g')
  vi.advanceTimersByTime(60_000)
  press('p')
  expect(pressed).toEqual(['g p', 'create'])
})

test('the key counts, not what a Cyrillic layout writes', () => {
  press('т', { code: 'KeyN' })
  press('л', { code: 'KeyK', ctrlKey: true })
  expect(pressed).toEqual(['create', 'palette'])
})

test('a key that is held fires once, one that is used up not at all', () => {
  press('n')
  press('n', { repeat: true })
  const event = new KeyboardEvent('keydown', { key: 'n', bubbles: true, cancelable: true })
  event.preventDefault()
  document.body.dispatchEvent(event)
  expect(pressed).toEqual(['create'])
})

test('turning single keys off keeps those with Ctrl', async () => {
  localStorage.setItem('catenary.single-keys', 'off')
  await userEvent.keyboard('n?gp{Control>}k{/Control}')
  expect(pressed).toEqual(['palette'])
})

test('of two for the same keys the one shown last answers, until it is gone', async () => {
  const { unmount } = render(<Shortcut id="create" as="later" />)
  await userEvent.keyboard('n')
  unmount()
  await userEvent.keyboard('n')
  expect(pressed).toEqual(['later', 'create'])
})

test('no two shortcuts share their keys, but for Enter, which opens and goes on, and Escape, which closes and stops', () => {
  const all = Object.values(SHORTCUTS).map(({ keys }) => keys)
  const shared = all.filter((keys, index) => all.indexOf(keys) !== index)
  expect(shared).toEqual(['Enter', 'Escape'])
})

function press(key: string, init: KeyboardEventInit = {}): void {
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...init }))
}
