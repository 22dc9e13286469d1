import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { ContentViewer } from './content-viewer.tsx'
import type { JsonAnswer } from './json-answer.ts'

afterEach(cleanup)

const VALID: JsonAnswer = { isValid: true, isRepaired: false, problems: [], repairs: [] }

function show(content: unknown, answer: Partial<JsonAnswer> = {}) {
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  return render(<ContentViewer title="AI response" content={text} answer={{ ...VALID, ...answer }} />)
}

const row = async (name: string) => (await screen.findByText(name)).closest('li') as HTMLElement

test('An answer by a schema is shown by name, type and value.', async () => {
  show({
    severity: 'high',
    items: ['Roll back', 'Tell them'],
    refund: 49.9,
    is_open: true,
    note: null,
    by: '',
  })
  expect((await row('severity')).textContent).toBe('severitytexthigh')
  expect((await row('refund')).textContent).toBe('refundnumber49.9')
  expect((await row('is_open')).textContent).toBe('is_openyes or noyes')
  expect((await row('note')).textContent).toBe('notenothing–')
  expect((await row('by')).textContent).toBe('bytextempty')
  const items = await row('items')
  expect(within(items).getByText('list, 2')).toBeTruthy()
  expect(
    within(items)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['1textRoll back', '2textTell them'])
  const fold = screen.getByRole('button', { name: 'items' })
  expect(fold.getAttribute('aria-expanded')).toBe('true')
  await userEvent.click(fold)
  expect(screen.queryByText('Roll back')).toBeNull()
  expect(screen.getByText('Valid')).toBeTruthy()
})

test('Numbers of an answer in JSON are shown to the last digit.', async () => {
  show('{"id": 12345678901234567890, "id": 1.50}')
  expect(await screen.findByText('12345678901234567890')).toBeTruthy()
  expect(screen.getByText('1.50')).toBeTruthy()
})

test('An answer by a schema says whether it is valid, what a repaired value was, and which fields don’t match and why.', async () => {
  const { unmount } = show(
    { refund: 49.9, by: 'x' },
    {
      isRepaired: true,
      repairs: [
        { path: 'refund', before: '49,90 €' },
        { path: 'by', before: null },
      ],
    },
  )
  expect((await row('refund')).textContent).toBe('refundnumber49.9was “49,90 €”, now a number')
  expect((await row('by')).textContent).toBe('bytextxwas missing')
  expect(screen.getByText('2 fields repaired')).toBeTruthy()
  unmount()
  show({ by: 'soon' }, { isValid: false, problems: [{ path: 'by', message: 'is no date: “soon”' }] })
  expect(screen.getByText('Not valid')).toBeTruthy()
  expect(screen.getByRole('list', { name: 'Schema mismatches' }).textContent).toBe('byis no date: “soon”')
})

test('A list of flat groups is a table.', async () => {
  show({
    parts: [
      { code: 'A', price: 1 },
      { code: 'B', note: 'late' },
    ],
  })
  const table = await screen.findByRole('table')
  expect(
    within(table)
      .getAllByRole('columnheader')
      .map(({ textContent }) => textContent),
  ).toEqual(['Number', 'code', 'price', 'note'])
  expect(within(table).getAllByRole('row')[2]?.textContent).toBe('2Blate')
  await userEvent.click(screen.getByRole('button', { name: 'As table' }))
  expect(screen.queryByRole('table')).toBeNull()
  expect(screen.getByText('late')).toBeTruthy()
})

test('Of a long list 100 values are shown, then 1,000 more at a time.', async () => {
  show(Array.from({ length: 1_300 }, (_, index) => `value ${index}`))
  expect(await screen.findByText('value 99')).toBeTruthy()
  expect(screen.queryByText('value 100')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: '1,000 more of 1,200' }))
  expect(screen.getByText('value 1099')).toBeTruthy()
  expect(screen.getByRole('button', { name: '200 more' })).toBeTruthy()
  expect(screen.queryByText('value 1100')).toBeNull()
})

test('lists within lists are folded before they fill the page, and a long text shows its beginning', async () => {
  const wide = Array.from({ length: 20 }, () => Array.from({ length: 20 }, () => ['deep']))
  show({ text: 'a'.repeat(2_500), wide })
  expect(await screen.findByText(`${'a'.repeat(2_000)}…`)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: '500 more characters' }))
  expect(screen.getByText('a'.repeat(2_500))).toBeTruthy()
  expect(screen.getAllByRole('listitem').length).toBeLessThan(400)
})

test('What isn’t JSON is shown as it came, with the place.', async () => {
  show('{"a": [1, 2', { isValid: false, problems: [{ path: '', message: 'The answer is not JSON' }] })
  expect(
    await screen.findByText(
      'Not valid JSON, so it is shown as received: line 1, column 12: it ends unexpectedly.',
    ),
  ).toBeTruthy()
  expect(screen.getByText('{"a": [1, 2')).toBeTruthy()
})

test('names and values are text, whatever is written in them', async () => {
  show({ '<img src=x onerror=alert(1)>': '<script>alert(1)</script>' })
  expect(await screen.findByText('<script>alert(1)</script>')).toBeTruthy()
  expect(document.querySelector('img, script')).toBeNull()
})

test('out of a fence it is read too, and as source it is as it came', async () => {
  const text = '```json\n{"a": 1}\n```'
  const { rerender } = show(text)
  expect((await row('a')).textContent).toBe('anumber1')
  rerender(<ContentViewer title="AI response" content={text} answer={VALID} view="source" />)
  expect(document.querySelector('pre')?.textContent).toBe(text)
})
