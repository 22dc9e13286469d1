import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatJson } from './format-json.ts'

describe('formatJson', () => {
  it('writes any JSON value as JSON.stringify does', () => {
    // Keys that look like numbers keep their place here; there they go first.
    const key = fc.string().filter((text) => !/^\d+$/.test(text) && text !== '__proto__')
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.string(),
        fc.integer(),
        fc
          .double({ noDefaultInfinity: true, noNaN: true })
          .map((number) => (Object.is(number, -0) ? 0 : number)),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value')),
        fc.dictionary(key, tie('value')),
      ),
    }))
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 1, '\t'), (json, space) => {
        expect(formatJson(JSON.stringify(json, null, space))).toBe(JSON.stringify(json, null, 2))
      }),
      { numRuns: 1000 },
    )
  })

  it('keeps long numbers, doubled keys, the order of keys, and strings as they are written', () => {
    expect(formatJson('{"id":12345678901234567890,"id":1.0,"2":[],"1":{},"s":"\\u00e9\\/"}')).toBe(
      '{\n  "id": 12345678901234567890,\n  "id": 1.0,\n  "2": [],\n  "1": {},\n  "s": "\\u00e9\\/"\n}',
    )
  })

  it.each(['', '{', '{"a":1,}', "{'a':1}", 'NaN', 'hello', '[1] [2]'])('takes %j for no JSON', (text) => {
    expect(formatJson(text)).toBeUndefined()
  })

  it('leaves as it is what would grow beyond measure', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    expect(formatJson(deep) === deep).toBe(true)
  })

  it('gets through a string of a million characters and as many escapes', () => {
    for (const text of ['a'.repeat(1_000_000), '\\"'.repeat(500_000), '{'.repeat(1_000_000)]) {
      const json = JSON.stringify([JSON.parse(`"${text}"`)])
      expect(formatJson(json)).toBe(`[\n  ${json.slice(1, -1)}\n]`)
    }
  })
})
