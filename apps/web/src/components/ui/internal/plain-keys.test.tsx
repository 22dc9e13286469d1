import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { useShortcut } from '../../../lib/keyboard/use-shortcut.ts'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '../dropdown-menu.tsx'
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '../select.tsx'

let runs = 0

function Page() {
  useShortcut({ id: 'submit', onPress: () => (runs += 1) })
  return (
    <>
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <button type="button">More</button>
        </DropdownMenuTrigger>
        <DropdownMenuContent>
          <DropdownMenuItem>Duplicate</DropdownMenuItem>
        </DropdownMenuContent>
      </DropdownMenu>
      <Select defaultValue="viewer">
        <SelectTrigger aria-label="Role">
          <SelectValue />
        </SelectTrigger>
        <SelectContent>
          <SelectItem value="viewer">Viewer</SelectItem>
        </SelectContent>
      </Select>
    </>
  )
}

beforeEach(() => {
  runs = 0
  render(<Page />)
})
afterEach(cleanup)

test.each([
  { role: 'button', name: 'More', opened: 'menu' },
  { role: 'combobox', name: 'Role', opened: 'listbox' },
])(
  'Ctrl Enter on the $role runs what is in view; Enter opens the $opened',
  async ({ role, name, opened }) => {
    screen.getByRole(role, { name }).focus()
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    expect(runs).toBe(1)
    expect(screen.queryByRole(opened)).toBeNull()
    await userEvent.keyboard('{Enter}')
    expect(await screen.findByRole(opened)).toBeTruthy()
    expect(runs).toBe(1)
  },
)
