import type { Comparison, Condition, InnerConditions } from '@catenary/contracts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { namesInCondition } from './condition-names.ts'
import { conditionText } from './describe-condition.ts'
import { ConditionUnreadableError, evaluateCondition, oppositeOf } from './evaluate-condition.ts'

const WORDS = ['', ' ', 'high', 'low', '7', '7.0', '-3', 'a high one']
const word = fc.constantFrom(...WORDS)
const ref = fc.constantFrom('severity', 'triage.severity', 'client', 'items[0]')
const negated = { not: fc.constantFrom(true as const, undefined) }

const comparison: fc.Arbitrary<Comparison> = fc
  .oneof(
    fc.record({ ref, op: fc.constantFrom('is', 'contains', 'matches', '>', '<'), value: word, ...negated }),
    fc.record({ ref, op: fc.constant('is_one_of'), value: fc.array(word, { minLength: 1 }), ...negated }),
    fc.record({ ref, op: fc.constant('is_empty'), ...negated }),
  )
  .map(({ not, ...one }) => ({ ...one, ...(not && { not }) }) as Comparison)

const group = <Part>(part: fc.Arbitrary<Part>) => {
  const parts = fc.array(part, { minLength: 1, maxLength: 4 })
  return fc.oneof(fc.record({ all: parts }), fc.record({ any: parts }))
}
const inner = group(comparison) as fc.Arbitrary<InnerConditions>
const condition = group(fc.oneof(comparison, inner)) as fc.Arbitrary<Condition>
const values = fc.record({ severity: word, 'triage.severity': word, client: word, 'items[0]': word })

const readerOf = (said: Record<string, string>) => ({
  read: (name: string) => said[name] ?? '',
  matches: async (pattern: string, text: string) => new RegExp(pattern).test(text),
})

async function verdict(asked: Condition, said: Record<string, string>): Promise<boolean | 'unreadable'> {
  try {
    return await evaluateCondition(asked, readerOf(said))
  } catch (error) {
    if (error instanceof ConditionUnreadableError) return 'unreadable'
    throw error
  }
}

describe('a condition', () => {
  it('Of a condition and its opposite exactly one holds, unless a comparison can’t be made.', async () => {
    await fc.assert(
      fc.asyncProperty(condition, values, async (asked, said) => {
        const [one, other] = [await verdict(asked, said), await verdict(oppositeOf(asked), said)]
        if (one === 'unreadable') expect(other).toBe('unreadable')
        else expect(other).toBe(!one)
      }),
    )
  })

  it('is itself again once it is turned twice', () => {
    fc.assert(
      fc.property(condition, (asked) => {
        expect(oppositeOf(oppositeOf(asked))).toEqual(asked)
      }),
    )
  })

  it('holds as its parts do, where all can be read', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(comparison, { minLength: 1 }), values, async (parts, said) => {
        const each = await Promise.all(parts.map((part) => verdict({ all: [part] }, said)))
        if (each.includes('unreadable')) return
        expect(await verdict({ all: parts }, said)).toBe(each.every(Boolean))
        expect(await verdict({ any: parts }, said)).toBe(each.some(Boolean))
      }),
    )
  })

  it('reads names that it has, and no others', async () => {
    await fc.assert(
      fc.asyncProperty(condition, values, async (asked, said) => {
        const read = new Set<string>()
        const reader = readerOf(said)
        const noted = { ...reader, read: (name: string) => reader.read(read.add(name) && name) }
        await evaluateCondition(asked, noted).catch(() => undefined)
        expect(namesInCondition(asked)).toEqual(expect.arrayContaining([...read]))
      }),
    )
  })

  it('says each of its names and values', () => {
    fc.assert(
      fc.property(condition, (asked) => {
        const text = conditionText(asked)
        for (const name of namesInCondition(asked)) expect(text).toContain(name)
        expect(text.split('(').length).toBe(text.split(')').length)
      }),
    )
  })
})

const holds = (part: Comparison, text: string) => evaluateCondition({ all: [part] }, readerOf({ it: text }))
const of = (fields: object) => ({ ref: 'it', ...fields }) as Comparison

it.each([
  [{ op: 'is', value: 'high' }, ['high'], ['High', 'high ', '']],
  [{ op: 'is', value: 'high', not: true }, ['low', ''], ['high']],
  [{ op: 'contains', value: 'b' }, ['abc'], ['ac', '']],
  [{ op: 'is_empty' }, ['', ' \n'], ['0']],
  [{ op: 'is_one_of', value: ['a', 'b'] }, ['a', 'b'], ['ab', '']],
  [{ op: 'matches', value: '^\\d+$' }, ['12'], ['12a', '']],
  [{ op: '>', value: '10' }, ['10.1', '1e9'], ['10', '9', '-11']],
  [{ op: '<', value: '10' }, ['9.99'], ['10', '10.0']],
])('%j holds for what it says', async (fields, are, areNot) => {
  for (const text of are) expect([text, await holds(of(fields), text)]).toEqual([text, true])
  for (const text of areNot) expect([text, await holds(of(fields), text)]).toEqual([text, false])
})

it('A comparison of numbers with what is none is no answer, and never a no.', async () => {
  await expect(holds(of({ op: '>', value: '10' }), 'many')).rejects.toThrow(
    'it is “many”, which is not a number',
  )
  await expect(holds(of({ op: '<', value: 'ten', not: true }), '3')).rejects.toThrow(
    'The condition compares it with “ten”, which is not a number',
  )
  await expect(holds(of({ op: '>', value: '1' }), '')).rejects.toThrow(ConditionUnreadableError)
})

it('reads no further than it takes', async () => {
  const unreadable = of({ op: '>', value: '1' })
  const reader = readerOf({ it: 'many', other: 'x' })
  const isX = { ref: 'other', op: 'is', value: 'x' } as const
  expect(await evaluateCondition({ any: [isX, unreadable] }, reader)).toBe(true)
  expect(await evaluateCondition({ all: [{ ...isX, not: true }, unreadable] }, reader)).toBe(false)
})

it('is said as a sentence', () => {
  const severity = { ref: 'triage.severity', op: 'is', value: 'high' } as const
  const client: Comparison = { ref: 'client', op: 'is_one_of', value: ['Halden', ''], not: true }
  const empty = { ref: 'client', op: 'is_empty' } as const
  expect(conditionText({ all: [severity, { any: [client, empty] }] })).toBe(
    'triage.severity is high and (client is none of Halden, “” or client is empty)',
  )
})
