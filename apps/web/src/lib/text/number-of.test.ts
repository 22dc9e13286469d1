import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod'
import {
  numberOf,
  numberProblem,
  numberText,
  plainNumberOf,
  readyNumberOf,
  typedNumber,
} from './number-of.ts'

test.each([
  ['0,25', 0.25],
  ['1,50', 1.5],
  ['1.5', 1.5],
  ['0,125', 0.125],
  ['0.125', 0.125],
  ['12,3456', 12.3456],
  ['1,', 1],
  [',5', 0.5],
  ['-3,5', -3.5],
  ['−3.5', -3.5],
  ['+2', 2],
  ['1.3750', 1.375],
  ['1,234.5', 1234.5],
  ['1.234,5', 1234.5],
  ['1,000,000', 1_000_000],
  ['1.000.000', 1_000_000],
  ['1 000', 1000],
  ['1\u00a0000,5', 1000.5],
  ['1\u202f000', 1000],
  ['1’000.50', 1000.5],
  [' 42 ', 42],
  ['１２', 12],
  ['1234,567', 1234.567],
])('‘%s’ is %d', (text, number) => {
  expect(numberOf(text)).toBe(number)
  expect(numberProblem(text)).toBeUndefined()
})

test.each([
  'ten',
  '1e3',
  '0x10',
  'Infinity',
  '1,2,3',
  '1.2.3',
  '-',
  '.',
  '1,00,000',
  '1 5',
  '5 %',
  '1.000,000.5',
])('‘%s’ is none', (text) => {
  expect(numberOf(text)).toBeNaN()
  expect(readyNumberOf(text)).toBeUndefined()
})

test.each([
  ['1.000', '“1.000” can be read in two ways. Write 1000 or 1'],
  ['1,000', '“1,000” can be read in two ways. Write 1000 or 1'],
  ['1,375', '“1,375” can be read in two ways. Write 1375 or 1.3750'],
  [' 128.000 ', '“128.000” can be read in two ways. Write 128000 or 128'],
  ['-1.250', '“-1.250” can be read in two ways. Write -1250 or -1.25'],
])('‘%s’ is asked about', (text, sentence) => {
  expect(numberProblem(text)).toBe(sentence)
  expect(numberOf(text)).toBeNaN()
  expect(plainNumberOf(text)).toBeUndefined()
  expect(
    typedNumber
      .pipe(z.number('no number'))
      .safeParse(text)
      .error?.issues.map(({ message }) => message),
  ).toEqual([sentence])
})

test.each([0, 1, 1.5, 1.375, 1000, 128_000, 0.125, 1e-7, 1e21, -2.25, -1.125])(
  '%d is read back as it was shown',
  (number) => {
    expect(numberOf(numberText(number))).toBe(number)
  },
)

test('nothing is null, shown as nothing, and the digits of a number stay as they are typed', () => {
  expect([numberOf(''), numberOf('  '), numberText(null), numberText(undefined)]).toEqual([
    null,
    null,
    '',
    '',
  ])
  expect(['1,50', '007', ',5', '1 000,10'].map(plainNumberOf)).toEqual(['1.50', '007', '0.5', '1000.10'])
})

const source = join(import.meta.dirname, '../..')
const files = globSync('**/*.{ts,tsx}', { cwd: source }).filter(
  (file) => !/\.test\.tsx?$|(^|\/)testing\//.test(file),
)

test('every field for a number is a NumberInput, and whoever has one reads it here', () => {
  const texts = new Map(files.map((file) => [file, readFileSync(join(source, file), 'utf8')]))
  const having = (pattern: RegExp) =>
    [...texts].filter(([, text]) => pattern.test(text)).map(([file]) => file)
  expect(having(/type="number"/)).toEqual([])
  expect(having(/inputMode=("(numeric|decimal)"|\{)/)).toEqual(['components/ui/number-input.tsx'])
  expect(having(/Number\((\w+\.)?(text|typed|draft|value)\.replace/)).toEqual(['lib/text/number-of.ts'])
  expect(having(/<Number(Input|Field)\b/).toSorted()).toEqual([
    'features/admin/backups/storage.tsx',
    'features/admin/models/edit-model-dialog.tsx',
    'features/admin/models/prices-dialog.tsx',
    'features/admin/quotas-dialog.tsx',
    'features/chains/steps/ask/ask-fields.tsx',
    'features/chains/steps/flow/loop-fields.tsx',
    'features/chains/steps/prompt/prompt-settings.tsx',
    'features/evaluations/progress-banner.tsx',
    'features/evaluations/run-evaluation-dialog.tsx',
    'features/model-settings/model-settings.tsx',
    'features/prompt-runs/values/value-input.tsx',
    'features/schedules/recurrence-fields.tsx',
    'features/schedules/schedule-fields.tsx',
    'features/test-suites/assertions/assertion-editor.tsx',
    'features/test-suites/assertions/assertion-fields.tsx',
    'features/test-suites/case-dialog.tsx',
    'features/tokens/form/limit-fields.tsx',
  ])
})
