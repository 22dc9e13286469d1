import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { SearchInput } from './search-input.tsx'

const TITLES = ['Welcome letter', 'Weekly digest', 'Tone check']

let pressed: string[]
let isSlow: boolean
beforeEach(() => {
  pressed = []
  isSlow = false
})
afterEach(cleanup)

function Library() {
  const [search, setSearch] = useState('')
  const [found, setFound] = useState('')
  if (found !== search && !isSlow) setFound(search)
  const titles = TITLES.filter((title) => title.toLowerCase().includes(found))
  return (
    <main>
      <SearchInput aria-label="Search" value={search} onSearch={setSearch} isFound={found === search} />
      <button type="button" onClick={() => setFound(search)}>
        Answer
      </button>
      <ul>
        {titles.map((title, index) => (
          <li key={title} data-grid-index={index}>
            <button type="button" data-grid-focus onClick={() => pressed.push(`open ${title}`)}>
              {title}
            </button>
            <button type="button" data-grid-run onClick={() => pressed.push(`run ${title}`)}>
              Execute
            </button>
          </li>
        ))}
      </ul>
    </main>
  )
}

const type = (keys: string) => userEvent.type(screen.getByRole('searchbox'), keys)
const focused = () => document.activeElement?.textContent

test('↓ from the search reaches the first item that was found, also before the list was searched.', async () => {
  render(<Library />)
  await type('we{ArrowDown}')
  await waitFor(() => expect(focused()).toBe('Welcome letter'))

  isSlow = true
  await userEvent.clear(screen.getByRole('searchbox'))
  await type('tone{ArrowDown}')
  expect(screen.getByText('Welcome letter')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Answer' }))
  await waitFor(() => expect(focused()).toBe('Tone check'))
})

test('Enter in the search opens an only hit, and Shift Enter runs it; with several it does neither.', async () => {
  render(<Library />)
  await type('we{Enter}')
  await waitFor(() => expect(screen.queryByText('Tone check')).toBeNull())
  await type('lcome{Enter}')
  await waitFor(() => expect(pressed).toEqual(['open Welcome letter']))
  await type('{Shift>}{Enter}{/Shift}')
  await waitFor(() => expect(pressed).toEqual(['open Welcome letter', 'run Welcome letter']))
})
