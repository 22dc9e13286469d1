import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '../ui/select.tsx'
import { FormDialog, type FormDialogProps } from './form-dialog.tsx'
import { SearchPicker } from './search-picker.tsx'

/** Its keys follow each other in the same turn: nothing that was put off comes in between. */
const hasty = userEvent.setup({ delay: null })
let saved: string[] = []

beforeEach(() => {
  saved = []
})
afterEach(cleanup)

function Letter(props: Partial<FormDialogProps>) {
  const [city, setCity] = useState('Rome')
  const cities = ['Rome', 'Oslo', 'Lima']
  return (
    <FormDialog
      onClose={() => undefined}
      title="Letter"
      submitLabel="Save"
      onSubmit={() => {
        saved.push(city)
      }}
      {...props}
    >
      <Field label="Name">
        <Input />
      </Field>
      <Field label="City">
        <SearchPicker
          label="Cities"
          placeholder="Search cities"
          nothingFound="No such city"
          value={city}
          find={(search) => cities.filter((name) => name.toLowerCase().includes(search))}
          describe={(title) => ({ title })}
          onChange={setCity}
        />
      </Field>
    </FormDialog>
  )
}

async function openPicker() {
  await userEvent.click(screen.getByRole('button', { name: 'City' }))
  const search = screen.getByPlaceholderText('Search cities')
  await waitFor(() => expect(document.activeElement).toBe(search))
}

test('a form that begins with a select has the focus there, not on what is hidden beside it', async () => {
  render(
    <FormDialog onClose={() => undefined} title="Letter" submitLabel="Save" onSubmit={() => undefined}>
      <Field label="Paper">
        <Select value="plain">
          <SelectTrigger>
            <SelectValue />
          </SelectTrigger>
          <SelectContent>
            <SelectItem value="plain">Plain</SelectItem>
          </SelectContent>
        </Select>
      </Field>
      <Field label="Name">
        <Input />
      </Field>
    </FormDialog>,
  )
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'Paper' })))
})

test('Ctrl Enter while a picker is closing saves what was picked', async () => {
  render(<Letter />)
  await openPicker()
  await hasty.keyboard('osl{Enter}{Control>}{Enter}{/Control}')
  expect(saved).toEqual(['Oslo'])
})

test('Ctrl Enter in an open picker saves, and picks nothing', async () => {
  render(<Letter />)
  await openPicker()
  await hasty.keyboard('osl{Control>}{Enter}{/Control}')
  expect(saved).toEqual(['Rome'])
})

test('Ctrl Enter saves and runs from any field.', async () => {
  render(<Letter />)
  screen.getByRole('button', { name: 'Close' }).focus()
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  screen.getByRole('dialog').focus()
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  expect(saved).toEqual(['Rome', 'Rome'])
})

test('Ctrl Enter waits for a save that is on its way, and for a question that is asked', async () => {
  const { rerender } = render(<Letter pending />)
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  rerender(<Letter dirty />)
  await userEvent.keyboard('{Escape}')
  await screen.findByRole('alertdialog')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  expect(saved).toEqual([])
})
