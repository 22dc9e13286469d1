import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useSelection } from './use-selection.ts'
import { VirtualGrid } from './virtual-grid.tsx'

const items = ['a', 'b', 'c', 'd', 'e'].map((name, index) => ({ id: index + 1, name }))

beforeEach(() => {
  // jsdom has no layout: what scrolls is given a height, or nothing would be in view.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(2000)
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const opened = vi.fn()

function List({ name = 'all', left = items }: { name?: string; left?: typeof items }) {
  const { selected, grid } = useSelection({ name, items: left })
  return (
    <>
      <VirtualGrid
        label="Things"
        name="things"
        items={left}
        getKey={({ id }) => id}
        rowHeight={10}
        selection={grid}
        renderItem={(item) => (
          <a href="/" data-grid-focus onClick={(event) => opened(event.preventDefault())}>
            {item.name}
          </a>
        )}
      />
      <output>{selected.map((item) => item.name).join('')}</output>
    </>
  )
}

const chosen = () => screen.getByRole('status').textContent
const link = (name: string) => screen.getByRole('link', { name })

test('x chooses the focused item, and again lets go of it.', async () => {
  render(<List />)
  link('b').focus()
  await userEvent.keyboard('x')
  expect(chosen()).toBe('b')
  await userEvent.keyboard('{ArrowDown}x')
  expect(chosen()).toBe('bc')
  await userEvent.keyboard('x')
  expect(chosen()).toBe('b')
})

test('Shift and a click choose all in between, and open nothing.', async () => {
  render(<List />)
  link('b').focus()
  await userEvent.keyboard('x')
  const user = userEvent.setup()
  await user.keyboard('{Shift>}')
  await user.click(link('d'))
  await user.keyboard('{/Shift}')
  expect(chosen()).toBe('bcd')
})

test('Shift and arrows extend what is chosen, and take it back.', async () => {
  render(<List />)
  link('b').focus()
  await userEvent.keyboard('{Shift>}{ArrowDown}{/Shift}')
  expect(chosen()).toBe('bc')
  await userEvent.keyboard('{Shift>}{ArrowDown}{/Shift}')
  expect(chosen()).toBe('bcd')
  await userEvent.keyboard('{Shift>}{ArrowUp}{/Shift}')
  expect(chosen()).toBe('bc')
})

test('a click alone opens; what leaves the list, or another question, lets go of what was chosen', async () => {
  const view = render(<List />)
  opened.mockClear()
  link('a').focus()
  await userEvent.keyboard('x{ArrowDown}x')
  await userEvent.click(link('c'))
  expect([opened.mock.calls.length, chosen()]).toEqual([1, 'ab'])
  view.rerender(<List left={items.slice(1)} />)
  expect(chosen()).toBe('b')
  view.rerender(<List name="mine" />)
  expect(chosen()).toBe('')
})
