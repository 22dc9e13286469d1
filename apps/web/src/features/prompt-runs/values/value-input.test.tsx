import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  executeButton,
  fakeServer,
  makeTone,
  openExecutePage as open,
} from '../testing/open-execute-page.tsx'

let server: ReturnType<typeof fakeServer>
beforeEach(() => {
  server = fakeServer()
  vi.stubGlobal('fetch', server.fetch)
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const sentValues = () => server.runs[0]?.body

test('A switch, a number, a list and a long text are asked for with the input that fits.', async () => {
  const variables = [
    makeTone({ id: 1, name: 'short', content: 'yes' }),
    makeTone({ id: 2, name: 'lines', content: '3' }),
    makeTone({ id: 3, name: 'mood', content: 'warm', allowedValues: ['warm', 'formal'] }),
  ]
  open({ content: '$<short> $<lines> $<mood>' }, { variables })
  await userEvent.click(screen.getByRole('switch', { name: 'short' }))
  expect(screen.getByText('no', { exact: true })).toBeTruthy()
  const lines = screen.getByRole('textbox', { name: 'lines' })
  await userEvent.clear(lines)
  expect(executeButton().textContent).toContain('Execute without lines')
  await userEvent.type(lines, '12')
  screen.getByRole('combobox', { name: 'mood' }).focus()
  await userEvent.keyboard('f')
  await userEvent.click(executeButton())
  await waitFor(() => expect(server.runs).toHaveLength(1))
  expect(sentValues()).toMatchObject({ variableValues: { short: 'no', lines: '12', mood: 'formal' } })
})

test.each([
  ['1,5', '1.5'],
  ['2.25', '2.25'],
  ['1 000', '1000'],
])('a number typed as ‘%s’ is sent as %s', async (typed, sent) => {
  open({ content: '$<lines>' }, { variables: [makeTone({ id: 2, name: 'lines', content: '3' })] })
  const lines = screen.getByRole<HTMLInputElement>('textbox', { name: 'lines' })
  await userEvent.clear(lines)
  await userEvent.type(lines, typed)
  expect(lines.value).toBe(typed)
  await userEvent.click(executeButton())
  await waitFor(() => expect(server.runs).toHaveLength(1))
  expect(sentValues()).toMatchObject({ variableValues: { lines: sent } })
})

test('a number that can be read in two ways is asked about, and not sent', async () => {
  open({ content: '$<lines>' }, { variables: [makeTone({ id: 2, name: 'lines', content: '3' })] })
  const lines = screen.getByRole<HTMLInputElement>('textbox', { name: 'lines' })
  await userEvent.clear(lines)
  await userEvent.type(lines, '1.000')
  expect(screen.getByRole('alert').textContent).toBe('“1.000” can be read in two ways. Write 1000 or 1')
  expect(executeButton().textContent).toContain('Execute without lines')
})

test('The text can be seen with its values before it is sent; what can’t be had is marked.', async () => {
  const { history } = open({ content: 'Be $<tone> to $<customer>.' })
  await userEvent.click(screen.getByRole('button', { name: 'Preview what is sent' }))
  expect(history.at(-1)).toBe('/execute/7?sent=open')
  const sent = within(await screen.findByRole('region', { name: 'Preview what is sent' }))
  expect(sent.getByText('warm').tagName).toBe('MARK')
  expect(sent.getByText(/stays as written: not in the library/)).toBeTruthy()
  await userEvent.type(screen.getByLabelText('customer'), 'Ada')
  await waitFor(() => expect(sent.getByText('Ada').tagName).toBe('MARK'))
  expect(sent.queryByText(/stays as written/)).toBeNull()
})
