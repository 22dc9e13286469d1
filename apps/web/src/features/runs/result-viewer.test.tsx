import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { ResultViewer } from './result-viewer.tsx'

afterEach(cleanup)

const source = () => screen.getByRole('button', { name: 'Source' })

test('An answer is rendered, with a switch, in the history, in chains and in their steps.', async () => {
  render(<ResultViewer title="Output" text="# Findings" />)
  expect(await screen.findByRole('heading', { name: 'Findings' })).toBeTruthy()
  expect(source().getAttribute('aria-pressed')).toBe('false')
  await userEvent.click(source())
  expect(screen.queryByRole('heading')).toBeNull()
  expect(screen.getByText('# Findings')).toBeTruthy()
  await userEvent.click(source())
  expect(await screen.findByRole('heading', { name: 'Findings' })).toBeTruthy()
})

test('a very long answer is shown as it came, at first', () => {
  render(<ResultViewer title="Output" text={`# Findings\n${'a line\n'.repeat(15_000)}`} />)
  expect(source().getAttribute('aria-pressed')).toBe('true')
  expect(screen.queryByRole('heading')).toBeNull()
})
