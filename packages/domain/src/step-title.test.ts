import { expect, it } from 'vitest'
import { stepTitle } from './step-title.ts'

it('is the title, or says that there is none', () => {
  expect(stepTitle({ title: ' Collect ' })).toBe('Collect')
  expect(stepTitle({ title: '  ' })).toBe('Untitled Step')
})
