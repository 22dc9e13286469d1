import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TAG_COLORS, tagColor } from './tag-color.ts'

describe('tagColor', () => {
  it('A tag’s colour follows from its id: blue, green, purple, yellow, red, indigo, pink (D18).', () => {
    expect([7, 8, 9, 10, 11, 12, 13, 14].map(tagColor)).toEqual([
      'blue',
      'green',
      'purple',
      'yellow',
      'red',
      'indigo',
      'pink',
      'blue',
    ])
  })

  it('gives every number a colour of the cycle', () => {
    fc.assert(fc.property(fc.oneof(fc.double(), fc.integer()), (id) => TAG_COLORS.includes(tagColor(id))))
  })
})
