import { expect, test } from 'vitest'
import { detectContent } from './content-viewer-detect.ts'

test('JSON is laid out with its digits, its keys in their order, and its escapes', () => {
  const text = '{"id":1736184243098437392,"price":1.10,"2025":"b","2024":"\\u0061"}'
  expect(detectContent({ text })).toEqual({
    kind: 'code',
    language: 'json',
    text: '{\n  "id": 1736184243098437392,\n  "price": 1.10,\n  "2025": "b",\n  "2024": "\\u0061"\n}',
  })
})
