import { describe, expect, it } from 'vitest'
import { outputNameFor } from './output-name.ts'

describe('outputNameFor', () => {
  it.each([
    ['Product launch e-mail', 'product_launch_e_mail'],
    ['  Über: 3 Fragen?! ', 'uber_3_fragen'],
    ['报告', 'output'],
    ['Input', 'input_2'],
    ['x'.repeat(80), 'x'.repeat(50)],
  ])('makes of %j the name %s', (title, name) => {
    expect(outputNameFor({ title, taken: [] })).toBe(name)
  })

  it('counts on past the names that are taken, within the length', () => {
    expect(outputNameFor({ title: 'Draft', taken: ['DRAFT', 'draft_2'] })).toBe('draft_3')
    const long = 'y'.repeat(50)
    expect(outputNameFor({ title: long, taken: [long] })).toBe(`${'y'.repeat(48)}_2`)
  })
})
