import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { TagChoice, TagToggles } from './tag-toggles.tsx'

afterEach(cleanup)

const makeTags = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: index + 1, name: `Tag ${index + 1}` }))
const toggled = (ids: readonly number[], id: number) =>
  ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id]

function Sidebar({ count }: { count: number }) {
  const [ids, setIds] = useState<number[]>([])
  return (
    <>
      <TagChoice
        aria-label="Prompt Tags"
        tags={makeTags(count)}
        selectedIds={ids}
        onToggle={(id) => setIds(toggled(ids, id))}
      />
      <button type="button">After</button>
    </>
  )
}

const focused = () => document.activeElement?.textContent
const pressed = () => screen.queryAllByRole('button', { pressed: true }).map((chip) => chip.textContent)

test('All tags of a filter are one stop for Tab; arrow keys, Home and End move within.', async () => {
  render(<Sidebar count={29} />)
  expect(screen.queryByRole('searchbox')).toBeNull()
  await userEvent.tab()
  expect(focused()).toBe('Tag 1')
  await userEvent.keyboard('{ArrowRight}{ArrowDown}')
  expect(focused()).toBe('Tag 3')
  await userEvent.keyboard(' ')
  expect(pressed()).toEqual(['Tag 3'])
  await userEvent.keyboard('{End}')
  expect(focused()).toBe('Tag 29')
  await userEvent.keyboard('{Home}{Enter}')
  expect(pressed()).toEqual(['Tag 1', 'Tag 3'])
  await userEvent.tab()
  expect(focused()).toBe('After')
})

test('From thirty tags on a filter has a search.', async () => {
  render(<Sidebar count={30} />)
  await userEvent.tab()
  const search = screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search Prompt Tags' })
  expect(document.activeElement).toBe(search)
  await userEvent.keyboard('TAG 2')
  expect(screen.getAllByRole('button', { pressed: false })).toHaveLength(11)
  expect(screen.getByRole('status').textContent).toBe('11 found')
  await userEvent.tab()
  expect(focused()).toBe('Tag 2')
  await userEvent.keyboard('{ArrowRight} ')
  expect(pressed()).toEqual(['Tag 20'])
  await userEvent.type(search, 'x')
  expect(screen.getByText('No matching tags')).toBeTruthy()
  await userEvent.keyboard('{Escape}')
  expect(search.value).toBe('')
  expect(pressed()).toEqual(['Tag 20'])
  expect(screen.getAllByRole('button', { pressed: false })).toHaveLength(29)
})

test('where a tag leaves the list as it is switched off, the next one has the focus', async () => {
  function Filters() {
    const [ids, setIds] = useState([1, 2, 3])
    const tags = makeTags(3).filter(({ id }) => ids.includes(id))
    return (
      <TagToggles
        aria-label="Tags that filter"
        tags={tags}
        selectedIds={ids}
        onToggle={(id) => setIds(toggled(ids, id))}
      />
    )
  }
  render(<Filters />)
  await userEvent.tab()
  await userEvent.keyboard('{ArrowRight} ')
  expect(focused()).toBe('Tag 3')
  await userEvent.keyboard(' ')
  expect(focused()).toBe('Tag 1')
})
